// Screenshots do not include the native popup of a <select>. This in-page menu replaces it.
{
  const setIndex = Object.getOwnPropertyDescriptor(HTMLSelectElement.prototype, "selectedIndex").set;
  const setSelected = Object.getOwnPropertyDescriptor(HTMLOptionElement.prototype, "selected").set;
  const styleOf = window.getComputedStyle;
  const later = window.setTimeout;
  const apply = Reflect.apply;
  const ROW = 24;
  const MOST_ROWS = 20;
  const MOST_TOLD = 50;
  const STYLE = `
    :host { all: initial !important; position: fixed !important; display: block !important;
      padding: 2px 0 !important; overflow-y: auto !important; box-sizing: border-box !important;
      background: Canvas !important; color: CanvasText !important; border: 1px solid GrayText !important;
      box-shadow: 0 2px 8px rgb(0 0 0 / 35%) !important; cursor: default !important; user-select: none !important;
      scrollbar-width: thin !important; }
    [role=option], .group { min-height: ${ROW}px; box-sizing: border-box; padding: 3px 10px; white-space: nowrap;
      overflow: hidden; text-overflow: ellipsis; }
    .group { font-weight: bold; }
    .inside { padding-left: 24px; }
    [aria-disabled=true] { color: GrayText; }
    [role=option].active { background: #1967d2; color: white; }`;

  const fire = (select) => {
    select.dispatchEvent(new Event("input", { bubbles: true, composed: true }));
    select.dispatchEvent(new Event("change", { bubbles: true }));
  };
  const isUsable = (option) => !option.disabled && !option.closest("optgroup")?.disabled;
  const isShown = (element) => !element.hidden && styleOf(element).display !== "none";
  const isPopup = (select) =>
    !select.multiple && select.size <= 1 && !select.matches(":disabled")
    && styleOf(select).appearance !== "base-select";

  let menu = null; // {select, host, rows: [{option, row}], active, typed}

  const close = () => {
    menu?.host.remove();
    menu = null;
  };

  const activate = (index, follow) => {
    menu.rows[menu.active]?.row.classList.remove("active");
    menu.active = index;
    const row = menu.rows[index]?.row;
    row?.classList.add("active");
    if (follow) row?.scrollIntoView({ block: "nearest" });
  };

  const pick = (index) => {
    const { select, rows } = menu;
    const option = rows[index]?.option;
    if (!option || !isUsable(option)) return;
    close();
    if (option.selected) return;
    apply(setIndex, select, [option.index]);
    fire(select);
  };

  const addRow = (root, text, group) => {
    const row = document.createElement("div");
    row.textContent = text || "\u00a0";
    row.className = group ? "group" : "";
    root.append(row);
    return row;
  };

  const fill = (root, select) => {
    const rows = [];
    let group = null;
    for (const option of select.options) {
      const parent = option.closest("optgroup");
      if (!isShown(option) || (parent && !isShown(parent))) continue;
      if (parent && parent !== group) addRow(root, parent.label, true);
      group = parent;
      const row = addRow(root, option.label, false);
      if (parent) row.className = "inside";
      row.setAttribute("role", "option");
      row.setAttribute("aria-selected", String(option.selected));
      row.setAttribute("aria-disabled", String(!isUsable(option)));
      rows.push({ option, row });
    }
    return rows;
  };

  const place = (host, select, set) => {
    const rect = select.getBoundingClientRect();
    const innerWidth = ofWindow.innerWidth(window);
    const innerHeight = ofWindow.innerHeight(window);
    const below = innerHeight - rect.bottom - 4;
    const above = rect.top - 4;
    const wanted = Math.min(host.scrollHeight + 4, MOST_ROWS * ROW);
    const upward = below < wanted && above > below;
    const height = Math.min(wanted, Math.max(upward ? above : below, Math.min(wanted, 3 * ROW)));
    set("min-width", `${rect.width}px`);
    set("max-width", `${innerWidth - 8}px`);
    set("max-height", `${height}px`);
    set("left", `${Math.max(4, Math.min(rect.left, innerWidth - host.offsetWidth - 4))}px`);
    set("top", `${Math.max(0, Math.min(upward ? rect.top - height : rect.bottom, innerHeight - height))}px`);
  };

  const open = (select) => {
    close();
    const host = document.createElement("div");
    const root = hub.attachShadow(host, { mode: "closed" });
    const sheet = new CSSStyleSheet(); // unlike a <style>, not subject to the content security policy
    sheet.replaceSync(STYLE);
    root.adoptedStyleSheets = [sheet];
    // The page can override styles on the host element, but not an important :host rule of the shadow root.
    const own = sheet.cssRules[sheet.insertRule(":host {}", sheet.cssRules.length)].style;
    const set = (name, value) => own.setProperty(name, value, "important");
    const look = styleOf(select);
    const inherited = ["font-family", "font-size", "direction", "color-scheme"];
    for (const name of inherited) set(name, look.getPropertyValue(name));
    const rows = fill(root, select);
    // A modal dialog makes everything outside itself inert.
    const dialog = hub.closest(select, (node) => node.localName === "dialog" && node.matches(":modal"));
    (dialog ?? document.fullscreenElement ?? document.body ?? document.documentElement).append(host);
    host.popover = "manual";
    host.showPopover();
    place(host, select, set);
    menu = { select, host, rows, active: -1, typed: "" };
    activate(rows.findIndex(({ option }) => option.selected), true);
  };

  const selectUnder = (x, y) => {
    const hit = hub.hitIn(document, x, y);
    const select = hit && hub.closest(hit, (node) => node.localName === "select");
    return select && isPopup(select) ? select : null;
  };

  // Opens unless the page calls preventDefault, which is known only after its listeners have run.
  const openUnlessPrevented = (event, select) => {
    let prevented = event.defaultPrevented;
    event.preventDefault();
    Object.defineProperty(event, "preventDefault", { value: () => { prevented = true; } });
    apply(later, window, [() => {
      if (prevented || !select.isConnected) return;
      select.focus({ preventScroll: true });
      open(select);
    }, 0]);
  };

  const rowUnder = (event) => {
    const hit = hub.hitIn(document, event.clientX, event.clientY);
    return menu.rows.findIndex(({ row }) => row === hit);
  };

  const onMenu = (event) => {
    event.stopImmediatePropagation();
    if (event.type === "wheel") return;
    const index = rowUnder(event);
    if (event.type === "mousedown") event.preventDefault(); // keeps the focus on the select
    if (event.type === "mousemove" && index >= 0) activate(index, false);
    if (event.type === "click") pick(index);
  };

  const onPointer = (event) => {
    if (menu && event.target === menu.host) {
      onMenu(event);
      return;
    }
    if (event.type !== "mousedown" || !event.isTrusted || event.button !== 0) return;
    const open = menu?.select;
    const select = selectUnder(event.clientX, event.clientY);
    close();
    if (!select) return;
    if (select === open) event.preventDefault();
    else openUnlessPrevented(event, select);
  };

  const nextUsable = (from, step) => {
    for (let index = from; index >= 0 && index < menu.rows.length; index += step) {
      if (isUsable(menu.rows[index].option)) return index;
    }
    return menu.active;
  };

  const typeAhead = (key) => {
    menu.typed += key.toLowerCase();
    const index = menu.rows.findIndex(({ option }) => option.label.toLowerCase().startsWith(menu.typed));
    if (index >= 0) activate(index, true);
    else menu.typed = key.toLowerCase();
  };

  const MENU_KEYS = {
    ArrowDown: () => activate(nextUsable(menu.active + 1, 1), true),
    ArrowUp: () => activate(nextUsable(menu.active - 1, -1), true),
    PageDown: () => activate(nextUsable(Math.min(menu.active + 10, menu.rows.length - 1), -1), true),
    PageUp: () => activate(nextUsable(Math.max(menu.active - 10, 0), 1), true),
    Home: () => activate(nextUsable(0, 1), true),
    End: () => activate(nextUsable(menu.rows.length - 1, -1), true),
    Enter: () => pick(menu.active),
    " ": () => pick(menu.active),
    Escape: () => close(),
  };

  const opensPopup = (event) =>
    ["Enter", " ", "F4"].includes(event.key) || (event.altKey && /^Arrow(Up|Down)$/.test(event.key));
  const focusedSelect = () => {
    const { element } = hub.focused();
    return element?.localName === "select" && element.ownerDocument === document ? element : null;
  };
  const commandOf = (event) => {
    if (MENU_KEYS[event.key]) return MENU_KEYS[event.key];
    const writes = event.key.length === 1 && !event.ctrlKey && !event.metaKey;
    return writes ? () => typeAhead(event.key) : null;
  };

  const onKey = (event) => {
    if (!event.isTrusted) return;
    if (!menu) {
      const select = focusedSelect();
      if (select && isPopup(select) && opensPopup(event)) openUnlessPrevented(event, select);
      return;
    }
    if (event.key === "Tab") {
      pick(menu.active);
      close();
      return;
    }
    const command = commandOf(event);
    if (!command) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    command();
  };

  const POINTER = "pointerdown pointerup pointermove mousedown mouseup mousemove click dblclick contextmenu wheel";
  for (const type of POINTER.split(" ")) {
    window.addEventListener(type, onPointer, { capture: true, passive: type === "wheel" });
  }
  window.addEventListener("keydown", onKey, true);
  window.addEventListener("blur", close);
  window.addEventListener("resize", close);
  const onScroll = (event) => {
    if (menu && event.target !== menu.host) close();
  };
  window.addEventListener("scroll", onScroll, { capture: true, passive: true });

  const squeeze = (text) => text.replace(/\s+/g, " ").trim();
  const named = (select, wanted) => {
    const options = [...select.options];
    const label = squeeze(wanted);
    return options.find((option) => squeeze(option.label) === label)
      ?? options.find((option) => option.value === wanted)
      ?? options.find((option) => squeeze(option.label).toLowerCase() === label.toLowerCase());
  };

  const choose = (select, wanted) => {
    const options = wanted.map((text) => named(select, text));
    const refused = wanted.find((_, index) => !options[index] || !isUsable(options[index]));
    if (refused !== undefined) {
      const disabled = Boolean(named(select, refused));
      const usable = [...select.options].filter((option) => isUsable(option) && option.label.trim());
      const labels = usable.map((option) => squeeze(option.label));
      return { refused, disabled, options: labels.slice(0, MOST_TOLD), more: Math.max(0, labels.length - MOST_TOLD) };
    }
    close();
    select.focus({ preventScroll: true });
    const before = hub.heldBy(select);
    if (select.multiple) for (const option of select.options) apply(setSelected, option, [options.includes(option)]);
    else apply(setIndex, select, [options[0].index]);
    hub.watch(select, before, hub.heldBy(select));
    fire(select);
    return { chosen: options.length };
  };

  // Chooses options of the <select> that is, contains or is labelled by the element.
  hub.on.choose = (element, wanted) => {
    const isSelect = (node) => node?.localName === "select";
    const label = hub.closest(element, (node) => node.localName === "label");
    const select = hub.closest(element, isSelect) ?? (isSelect(label?.control) ? label.control : null);
    if (!select) return { tag: element.localName };
    if (select.matches(":disabled")) return { unusable: true };
    if (!select.multiple && wanted.length !== 1) return { single: true };
    return choose(select, wanted);
  };
}
