// Questions to the server.

export class Problem extends Error {}

function address(path, params) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== undefined && one !== null && one !== "") query.append(name, one);
    }
  }
  return `${path}?${query}`;
}

export async function ask(name, params = {}, signal) {
  const reply = await fetch(address(`/api/${name}`, params), { signal });
  if (reply.status === 401) throw new Problem("The token is no longer good: open the link that the command printed.");
  const body = await reply.json();
  if (!reply.ok) throw new Problem(body.message ?? `The server answered ${reply.status}.`);
  return body;
}

export const picture = (run, where, width) => address("/api/picture", { run, address: where, width });
