/** Loads the chart as an XML document. This needs no HTML parsing, which the policy forbids. */
const read = (): Promise<Document> =>
  new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('GET', 'chart.svg');
    request.responseType = 'document';
    request.addEventListener('loadend', () => {
      if (request.responseXML === null) reject(new Error('The chart cannot be read.'));
      else resolve(request.responseXML);
    });
    request.send();
  });

let chart: Promise<Document> | undefined;

/** Returns a copy of the chart of all states. */
export const chartOf = async (): Promise<Node> => {
  chart ??= read();
  return document.importNode((await chart).documentElement, true);
};

/** Highlights the current states of a task, the innermost most. Returns that one. */
export const light = (svg: Element, state: string): Element | null => {
  const paths = state.split('+').flatMap((path) => {
    const names = path.split('.');
    return names.map((_, at) => names.slice(0, at + 1).join('.'));
  });
  const lit = [...svg.querySelectorAll('[data-state]')].filter((group) => {
    const path = group.getAttribute('data-state') ?? '';
    group.classList.toggle('active', paths.includes(path));
    group.classList.toggle('here', state.split('+').includes(path));
    return paths.includes(path);
  });
  return lit.at(-1) ?? null;
};
