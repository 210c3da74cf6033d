/** The part of Mermaid that the tests use. */
declare const mermaid: {
  readonly parse: (text: string) => Promise<unknown>;
  readonly mermaidAPI: {
    readonly getDiagramFromText: (text: string) => Promise<{ readonly type: string; readonly db: unknown }>;
  };
};
// oxlint-disable-next-line import/no-default-export -- as the package has it
export default mermaid;
