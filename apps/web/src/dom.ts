// Elements from names, attributes and children. Text is always text: nothing
// that a release says is ever read as HTML.

type Attribute = string|number|boolean|EventListener|undefined;
type Child = Node|string|undefined;

// Characters that turn the direction of writing would let a name read as
// another one; they are shown as what cannot be shown.
export function readable(text: string): string {
  return text.replace(
      /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '\ufffd');
}

function fill<T extends Element>(
    element: T, attributes: Record<string, Attribute>, children: Child[]): T {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    if (typeof value === 'function') {
      element.addEventListener(name, value);
    } else {
      element.setAttribute(name, value === true ? '' : String(value));
    }
  }
  for (const child of children) {
    if (child === undefined) continue;
    element.append(typeof child === 'string' ? readable(child) : child);
  }
  return element;
}

export function html<K extends keyof HTMLElementTagNameMap>(
    tag: K, attributes: Record<string, Attribute> = {},
    ...children: Child[]): HTMLElementTagNameMap[K] {
  return fill(document.createElement(tag), attributes, children);
}

export function svg<K extends keyof SVGElementTagNameMap>(
    tag: K, attributes: Record<string, Attribute> = {},
    ...children: Child[]): SVGElementTagNameMap[K] {
  return fill(
      document.createElementNS('http://www.w3.org/2000/svg', tag), attributes,
      children);
}

let last = 0;
export function uniqueId(prefix: string): string {
  return `${prefix}-${++last}`;
}
