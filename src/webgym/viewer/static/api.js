// Questions to the server, and the one thing that is written: labels.

export class Problem extends Error {}

const SECRET = "webgym-label";

function address(path, params) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== undefined && one !== null && one !== "") query.append(name, one);
    }
  }
  return `${path}?${query}`;
}

async function answered(reply) {
  if (reply.status === 401) throw new Problem("The token is no longer valid. Open the link that the command printed.");
  const body = await reply.json();
  if (!reply.ok) throw new Problem(body.message ?? `The server returned status ${reply.status}.`);
  return body;
}

export const ask = async (name, params = {}, signal) =>
  answered(await fetch(address(`/api/${name}`, params), { signal }));

export const picture = (run, where, width) => address("/api/picture", { run, address: where, width });

/** What lets this browser label: it comes with the link, and no other site can make the browser send it. */
const secret = () => {
  try {
    return localStorage.getItem(SECRET) ?? "";
  } catch {
    return ""; // storage may be off
  }
};

export function keepSecret(given) {
  try {
    if (given) localStorage.setItem(SECRET, given);
  } catch {
    // then this browser only shows
  }
}

const headers = () => ({ "X-WebGym-Label": secret() });

/** Who labels here; empty if this browser only shows. */
export const labeller = async (signal) =>
  secret() ? (await answered(await fetch("/api/labeller", { headers: headers(), signal }))).who : "";

/** Says something of a verdict; the attempt as it then is. */
export const putLabel = async (label) =>
  answered(
    await fetch("/api/label", {
      method: "POST",
      headers: { ...headers(), "Content-Type": "application/json" },
      body: JSON.stringify(label),
    }),
  );
