/** Text that breaks after the punctuation of a long word, such as an address, before it breaks inside a name. */
export const Breakable = ({ text }: { text: string }) => (
  <>
    {text
      .split(/(?<=\S{6}[@./_:-])(?=\S{4})/)
      .flatMap((part, at) => (at === 0 ? [part] : [<wbr key={at} />, part]))}
  </>
);
