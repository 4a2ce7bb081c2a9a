// The in-page half of typing: which elements accept text, and how.
{
  const apply = Reflect.apply;
  const setValue = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set;
  const TEXT_TYPES = new Set(["text", "search", "url", "tel", "email", "password", "number"]);
  const FORMATS = {
    date: "YYYY-MM-DD", time: "HH:MM", "datetime-local": "YYYY-MM-DDTHH:MM", month: "YYYY-MM", week: "YYYY-Www",
    color: "#rrggbb", range: "a number",
  };

  const formatOf = (element) => {
    if (element.type !== "range") return FORMATS[element.type];
    return `a number from ${element.min || 0} to ${element.max || 100}`;
  };

  const isText = (element) =>
    element.localName === "textarea" || (element.localName === "input" && TEXT_TYPES.has(element.type))
    || element.isContentEditable || Boolean(element.editContext) || element.ownerDocument.designMode === "on";
  const isSet = (element) => element.localName === "input" && element.type in FORMATS;
  const isLocked = (element) => apply(Element.prototype.matches, element, [":disabled"]) || element.readOnly === true;

  // Clicking these has an effect of its own, which typing into them cannot have meant.
  const isPressed = (node) =>
    (node.localName === "a" && node.hasAttribute("href")) || node.localName === "select" || node.localName === "option"
    || (node.localName === "button" && node.type === "submit" && node.form)
    || (node.localName === "input" && !isText(node) && !isSet(node));

  const fieldAt = (element) => {
    const direct = hub.closest(element, (node) => isText(node) || isSet(node));
    if (direct) return direct;
    const control = hub.closest(element, (node) => node.localName === "label")?.control;
    return control && (isText(control) || isSet(control)) ? control : null;
  };

  // How typing at this element would work: `text` by keys, `set` by value, `none`, or `unknown` until it is clicked.
  hub.on.field = (element) => {
    const field = fieldAt(element);
    if (field && isLocked(field)) return { kind: "none", why: field.readOnly ? "read-only" : "disabled" };
    if (field) hub.keep(field);
    if (field) return { kind: isSet(field) ? "set" : "text" };
    const pressed = hub.closest(element, isPressed);
    return pressed ? { kind: "none", why: `a <${pressed.localName}>` } : { kind: "unknown" };
  };

  const isValid = (element, text) => {
    if (element.type === "color") return /^#[0-9a-f]{6}$/i.test(text);
    if (element.type === "range") {
      const number = Number(text);
      return text.trim() !== "" && number >= Number(element.min || 0) && number <= Number(element.max || 100);
    }
    const probe = document.createElement("input");
    probe.type = element.type;
    apply(setValue, probe, [text]);
    return text === "" || probe.value !== "";
  };

  // Sets the value of a field without free text, as its native picker would.
  hub.on.setField = (element, text) => {
    if (!isValid(element, text)) return { expected: formatOf(element) };
    element.focus({ preventScroll: true });
    const before = heldBy(element);
    apply(setValue, element, [text]);
    hub.watch(element, before, heldBy(element));
    element.dispatchEvent(new Event("input", { bubbles: true, composed: true }));
    element.dispatchEvent(new Event("change", { bubbles: true }));
    return {};
  };

  // --- what became of a field: pages may cancel keys, change what is typed, or set the value back ---
  const MOST_TOLD = 60;
  const squeeze = (text) => text.replace(/\s+/g, " ").trim();
  const heldBy = (element) => {
    if (element.localName === "select") return [...element.selectedOptions].map((option) => option.label).join(", ");
    if (element.isContentEditable) return editingHost(element).innerText;
    return element.validity?.badInput ? "?" : element.value; // what is no number reads as an empty value
  };
  let watched = null; // { field, before, wanted }
  hub.heldBy = heldBy;
  hub.watch = (element, before, wanted) => { watched = { field: new WeakRef(element), before, wanted }; };

  // Watches the element if a key may write into it.
  hub.on.watch = (element) => {
    watched = null;
    if (!isText(element) || isKeyboardProxy(element)) return false;
    hub.watch(element, heldBy(element));
    return true;
  };

  // What the watched field holds now. `wanted`: the text, or the start of it, that it should hold; null if unknown.
  hub.entered = (wanted) => {
    const field = watched?.field.deref();
    if (!field?.isConnected) return null;
    const aim = watched.wanted ?? wanted;
    const now = heldBy(field);
    const shown = squeeze(now);
    const holds = aim !== null && (aim === "" ? shown === "" : shown.includes(squeeze(aim)));
    const secret = field.type === "password";
    const told = shown.length > MOST_TOLD ? `${shown.slice(0, MOST_TOLD)}…` : shown;
    return { same: now === watched.before, holds, secret, value: secret ? "" : told, empty: shown === "" };
  };

  const editingHost = (element) => {
    let host = element;
    while (host.parentElement?.isContentEditable) host = host.parentElement;
    return host;
  };

  const selectRich = (element, replace) => {
    const host = editingHost(element);
    const root = host.getRootNode();
    const selection = root.getSelection?.() ?? host.ownerDocument.getSelection();
    const range = host.ownerDocument.createRange();
    range.selectNodeContents(host);
    if (!replace) range.collapse(false);
    selection.removeAllRanges();
    selection.addRange(range);
    return host.textContent !== "";
  };

  const selectPlain = (element, replace) => {
    if (replace) element.select();
    else {
      try {
        element.setSelectionRange(element.value.length, element.value.length);
      } catch {
        // Inputs of type number and email have no selection API; the End key is used instead.
      }
    }
    return element.value !== "";
  };

  // Editors that render their own text have a tiny textarea for keyboard input: only key events reach their text.
  const isKeyboardProxy = (element) => {
    if (element.editContext) return true;
    const rect = element.getBoundingClientRect();
    return element.localName === "textarea" && (rect.width < 8 || rect.height < 8);
  };

  // Prepares the element for typing: selects its text if it is to be replaced, else moves the caret to the end.
  hub.on.ready = (element, replace, focus) => {
    watched = null;
    if (!isText(element)) {
      hub.suspect(element); // the focused element may be in a closed shadow root of it
      return { editable: false, why: isSet(element) ? "set" : `a <${element.localName}>` };
    }
    if (isLocked(element)) return { editable: false, why: element.readOnly ? "read-only" : "disabled" };
    if (focus) element.focus({ preventScroll: true });
    const input = element.localName === "input";
    const kind = { editable: true, multiline: !input, number: input && element.type === "number" };
    if (isKeyboardProxy(element)) return { ...kind, filled: true, byKeys: true, boxed: false, rich: false };
    const plain = input || element.localName === "textarea";
    hub.watch(element, heldBy(element));
    const filled = (plain ? selectPlain : selectRich)(element, replace);
    const byKeys = plain && !replace && element.selectionStart === null;
    return { ...kind, filled, byKeys, rich: !plain, boxed: element.maxLength > 0 && element.maxLength <= 4 };
  };
}
