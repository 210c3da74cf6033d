interface Seen {
  readonly text: string;
  readonly ratio: number;
}

/** Every text of a page, and how it stands out from what is behind it (WCAG 2.2, contrast ratio). It runs in the page. */
export const contrasts = (): Seen[] => {
  /* oxlint-disable unicorn/consistent-function-scoping -- what runs in the page takes nothing along */
  const partsOf = (colour: string): number[] =>
    (/\((.*)\)/.exec(colour)?.[1] ?? '').split(/[\s,/]+/).map(Number);
  const behind = (element: Element): number[] => {
    for (let at: Element | null = element; at !== null; at = at.parentElement) {
      const parts = partsOf(getComputedStyle(at).backgroundColor);
      if ((parts[3] ?? 1) === 1) return parts;
    }
    return [255, 255, 255];
  };
  const light = (parts: number[]): number => {
    const [red = 0, green = 0, blue = 0] = parts.map((part) => {
      const share = part / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const ratioOf = (one: number, other: number): number =>
    (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
  /* oxlint-enable unicorn/consistent-function-scoping */

  const seen: Seen[] = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const { parentElement, textContent } = walker.currentNode;
    const text = (textContent ?? '').trim();
    if (parentElement === null || text === '' || !parentElement.checkVisibility()) continue;
    if (parentElement.closest('svg, :disabled, .skip, .unseen, option') !== null) continue;
    const colour = partsOf(getComputedStyle(parentElement).color);
    seen.push({ text, ratio: ratioOf(light(colour), light(behind(parentElement))) });
  }
  return seen;
};

/** Every control that has no name to be called by. It runs in the page. */
export const nameless = (): string[] =>
  [...document.querySelectorAll('a, button, input, select, textarea, [tabindex="0"]')]
    .filter((control) => {
      const labels = 'labels' in control ? [...((control.labels as NodeListOf<Element> | null) ?? [])] : [];
      const texts = [
        control.textContent,
        control.getAttribute('aria-label'),
        ...labels.map((label) => label.textContent),
      ];
      return texts.every((text) => (text ?? '').trim() === '');
    })
    .map((control) => control.outerHTML.slice(0, 200));
