import type { Turn } from '../ports/model.ts';
import { inWords } from '../orchestrator/read-output.ts';
import { refused, type WantedCall, type WantedDraft } from './wanted.ts';

/** What the last turn was answered with. */
export interface Sent {
  readonly calls: readonly WantedCall[];
  /** How many earlier calls came before them. */
  readonly behind: number;
}

export const nothingSent: Sent = { calls: [], behind: 0 };

/** What the chart sent back is said to whoever proposed it; what came with it is proposed again. */
export const judge = (
  { rejected, wants }: Turn,
  { calls, behind }: Sent,
  draft: WantedDraft | null,
): void => {
  const issues = (rejected?.issues ?? []).map((issue) => ({
    ...issue,
    path: issue.path.replace(/^\/output(?=\/)/, ''), // what could not be read at all is named where it was corrected
  }));
  const own = calls.map((_, at) => issues.filter(({ path }) => path.startsWith(`/calls/${behind + at}/`)));
  const isOne = own.some((some) => some.length > 0);
  for (const [at, call] of calls.entries()) {
    const found = isOne ? (own[at] ?? []) : issues;
    if (isOne && found.length === 0) call.stage = 'queued';
    else call.verdict = refused('OUTPUT_INVALID', inWords(found), found);
  }
  if (calls.length === 0 && wants === 'draft' && draft?.stage === 'sent')
    draft.verdict = refused('OUTPUT_INVALID', inWords(issues), issues);
};
