/** The part of Mermaid that the tests use. */
declare const mermaid: {
  readonly parse: (text: string) => Promise<unknown>;
  readonly mermaidAPI: {
    readonly getDiagramFromText: (text: string) => Promise<{ readonly type: string; readonly db: unknown }>;
  };
};
export default mermaid;
