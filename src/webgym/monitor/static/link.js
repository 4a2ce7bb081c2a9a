// The connection to the run: the browser takes it up again by itself, from the last update it got.

const RETRY = 3000;

export function follow({ onUpdate, onState }) {
  const source = new EventSource("/api/events");
  source.addEventListener("open", () => onState("live", "live"));
  source.addEventListener("update", (event) => {
    const over = onUpdate(event.data);
    if (!over) return;
    source.close();
    onState("over", "run ended");
  });
  source.addEventListener("error", () => {
    if (source.readyState === EventSource.CONNECTING) {
      onState("lost", "connection lost, reconnecting");
      return;
    }
    onState("lost", "connection refused, retrying");
    setTimeout(() => follow({ onUpdate, onState }), RETRY);
  });
}
