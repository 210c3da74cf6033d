export const style = `
:root { color-scheme: light dark; font: 14px/1.45 system-ui, sans-serif; color: CanvasText; background: Canvas }
body { margin: 0; height: 100vh; display: flex; flex-direction: column }
header { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0 1rem; padding: .5rem 1rem; border-bottom: 1px solid color-mix(in srgb, CanvasText 25%, Canvas) }
h1 { font-size: 1rem; margin: 0 }
header p { margin: 0; opacity: .8 }
[role='status'] { flex: 1 }
[hidden] { display: none !important }
iframe { flex: 1; border: 0 }
main { flex: 1; min-height: 0; display: flex }
main > * { margin: 0; padding: 1rem }
nav { flex: 0 0 15rem; overflow: auto }
nav:empty { display: none }
section { flex: 1; min-width: 0; min-height: 0; display: flex; flex-direction: column; gap: .5rem; border: 0 solid color-mix(in srgb, CanvasText 25%, Canvas); border-inline-start-width: 1px }
#view { flex: 1; min-height: 0; overflow: auto }
#chart { cursor: grab; user-select: none; width: max-content; min-width: 100% }
#chart:active { cursor: grabbing }
nav button { display: block; width: 100%; margin-bottom: .4rem; padding: .4rem .6rem; text-align: start; font: inherit; overflow-wrap: anywhere; border: 1px solid color-mix(in srgb, CanvasText 25%, Canvas); border-radius: 6px; background: Canvas; color: CanvasText; cursor: pointer }
nav button[aria-pressed='true'] { border-color: Highlight; box-shadow: 0 0 0 1px Highlight }
section > p { margin: 0; overflow-wrap: anywhere }
label { white-space: nowrap }
#zoom { vertical-align: middle }
[role='heading'] { margin-inline-end: 1rem }
details { max-height: 40vh; overflow: auto }
summary { cursor: pointer }
pre { font: 12px/1.4 ui-monospace, monospace; white-space: pre-wrap; overflow-wrap: anywhere }
@media (width < 45rem) {
  main { flex-direction: column }
  main > * { padding: .5rem 1rem }
  nav { flex: 0 1 auto; max-height: 20vh }
  section { border-width: 1px 0 0 }
}
`;
