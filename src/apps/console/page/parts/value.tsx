import { useState } from 'preact/hooks';
import { visibleJson } from '../../../../base/text/foreign-text.ts';
import { isObject } from '../../../../base/boundary/is-object.ts';
import { visible } from '../words.ts';
import { Breakable } from './breakable.tsx';

const isPlain = (value: unknown): boolean => typeof value !== 'object' || value === null;

const many = 50;
const brief = 24;
const long = 2_000;
const deep = 5;

const Text = ({ text: given }: { text: string }) => {
  const [isWhole, setWhole] = useState(false);
  const text = visible(isWhole ? given : given.slice(0, long));
  if (given.length <= brief)
    return <span class="text brief">{given === '' ? '“”' : <Breakable text={text} />}</span>;
  if (given.length <= long || isWhole)
    return (
      <span class="text">
        <Breakable text={text} />
      </span>
    );
  return (
    <span class="text">
      {text}…{' '}
      <button type="button" class="quiet" onClick={() => setWhole(true)}>
        Show all {given.length.toLocaleString('en')} characters
      </button>
    </span>
  );
};

const Rest = ({ of }: { of: number }) =>
  of > many ? <p class="muted">and {(of - many).toLocaleString('en')} more, all in the export</p> : null;

/** Rows with common members, as a table. */
const Table = ({
  rows,
  columns,
}: {
  rows: readonly Readonly<Record<string, unknown>>[];
  columns: string[];
}) => (
  <div class="scroll" tabIndex={0} role="group" aria-label="Table">
    <table class={columns.length > 2 ? 'wide' : 'narrow'}>
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column} scope="col">
              {visible(column)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, at) => (
          <tr key={at}>
            {columns.map((column) => (
              <td key={column} data-label={visible(column)}>
                {Object.hasOwn(row, column) && <Value value={row[column]} depth={deep} />}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);

/**
 * Returns whether a list of words and numbers fits on a line or two. An item with a comma would look like
 * two.
 */
const isShort = (value: readonly unknown[]): boolean =>
  value.length <= many &&
  value.every(
    (item) =>
      typeof item === 'number' || (typeof item === 'string' && item.length <= 40 && !/[,\n]/.test(item)),
  );

const List = ({ value, depth }: { value: readonly unknown[]; depth: number }) => {
  const shown = value.slice(0, many);
  const rows = shown.filter(isObject);
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const isFlat = rows.every((row) => Object.values(row).every(isPlain));
  if (value.length === 0) return <span class="muted">none</span>;
  if (isShort(value)) return <span class="text">{visible(value.join(', '))}</span>;
  if (rows.length === shown.length && columns.length <= 8 && isFlat)
    return (
      <>
        <Table rows={rows} columns={columns} />
        <Rest of={value.length} />
      </>
    );
  return (
    <>
      <ol class="values">
        {shown.map((item, at) => (
          <li key={at}>
            <Value value={item} depth={depth + 1} />
          </li>
        ))}
      </ol>
      <Rest of={value.length} />
    </>
  );
};

/** An external value as text: objects as description lists, arrays as lists, flat rows as a table. */
export const Value = ({ value, depth = 0 }: { value: unknown; depth?: number }) => {
  if (value === undefined || value === null) return <span class="muted">null</span>;
  if (typeof value === 'string') return <Text text={value} />;
  if (depth >= deep || isPlain(value)) return <Text text={visibleJson(value)} />;
  if (Array.isArray(value)) return <List value={value} depth={depth} />;
  const members = Object.entries(value);
  if (members.length === 0) return <span class="muted">nothing</span>;
  return (
    <>
      <dl class="terms">
        {members.slice(0, many).map(([name, member]) => (
          <div key={name}>
            <dt>
              <Breakable text={visible(name)} />
            </dt>
            <dd>
              <Value value={member} depth={depth + 1} />
            </dd>
          </div>
        ))}
      </dl>
      <Rest of={members.length} />
    </>
  );
};
