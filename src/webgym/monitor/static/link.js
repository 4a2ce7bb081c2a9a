// The connection to the run: the browser takes it up again by itself, from the last update it got.

const RETRY = 3000;

export function follow({ onUpdate, onState }) {
  const source = new EventSource("/api/events");
  source.addEventListener("open", () => onState("live", "live"));
  source.addEventListener("update", (event) => {
    const over = onUpdate(event.data);
    if (!over) return;
    source.close();
    onState("over", "the run is over");
  });
  source.addEventListener("error", () => {
    if (source.readyState === EventSource.CONNECTING) {
      onState("lost", "connection lost, trying again");
      return;
    }
    onState("lost", "refused, trying again");
    setTimeout(() => follow({ onUpdate, onState }), RETRY);
  });
}
