export const style = `
:root { color-scheme: light dark; font: 14px/1.45 system-ui, sans-serif; color: CanvasText; background: Canvas }
body { margin: 0; height: 100vh; display: flex; flex-direction: column }
header { display: flex; align-items: baseline; gap: 1rem; padding: .5rem 1rem; border-bottom: 1px solid color-mix(in srgb, CanvasText 25%, Canvas) }
h1 { font-size: 1rem; margin: 0 }
[role='status'] { flex: 1; margin: 0; opacity: .8 }
[hidden] { display: none !important }
iframe { flex: 1; border: 0 }
main { flex: 1; min-height: 0; display: grid; grid-template: minmax(6rem, auto) 1fr / 17rem minmax(0, 1fr) }
main > section { grid-area: 1 / 2 / 3 / 3; border-inline-start: 1px solid color-mix(in srgb, CanvasText 25%, Canvas) }
nav { max-height: 40vh }
#chart { cursor: grab; user-select: none; width: max-content; min-width: 100% }
#chart:active { cursor: grabbing }
main > * { overflow: auto; padding: 1rem; margin: 0 }
nav button { display: block; width: 100%; margin-bottom: .4rem; padding: .4rem .6rem; text-align: start; font: inherit; overflow-wrap: anywhere; border: 1px solid color-mix(in srgb, CanvasText 25%, Canvas); border-radius: 6px; background: Canvas; color: CanvasText; cursor: pointer }
nav button[aria-pressed='true'] { border-color: Highlight; box-shadow: 0 0 0 1px Highlight }
section > p { position: sticky; top: -1rem; left: 0; margin: -1rem 0 0; padding: .8rem 0; background: Canvas; overflow-wrap: anywhere }
#zoom { vertical-align: middle }
[role='heading'] { margin-inline-end: 1rem }
pre { font: 12px/1.4 ui-monospace, monospace; white-space: pre-wrap; overflow-wrap: anywhere }
`;
