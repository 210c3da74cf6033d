import type { Flow } from 'agentcharter/origins';
import { z } from 'zod';
import type { Charter } from '../charter.ts';

// Written from the names, descriptions and parameters of the suite's tools, and from nothing else.
//
// Members write messages and name channels; strangers write pages. None of that is trusted. Who is in a channel is: members
// come in by an invitation. Who receives, where a text goes and which page is asked for must be trusted; the text of a
// message is free within the workspace, and may leave it only if anyone may read it. A request for a page can carry data out.

const named: Flow = { integrity: 'trusted', choice: 'any' };
const workspace = { '': { readers: ['workspace'] } } as const;

const text = z.string();
const inChannel = z.strictObject({ channel: text });

export const charter: Charter = {
  flows: 'ask',
  tools: {
    get_channels: { input: z.strictObject({}), tier: 'read_only' },
    get_users_in_channel: { input: inChannel, tier: 'read_only', labels: { '': { integrity: 'trusted' } } },
    read_channel_messages: { input: inChannel, tier: 'read_only', labels: workspace },
    read_inbox: { input: z.strictObject({ user: text }), tier: 'read_only', labels: workspace },
    get_webpage: {
      input: z.strictObject({ url: text }),
      tier: 'write_low_risk',
      flows: { '/url': named },
    },
    add_user_to_channel: {
      input: z.strictObject({ user: text, channel: text }),
      tier: 'write_low_risk',
      flows: { '/user': named, '/channel': named },
    },
    send_direct_message: {
      input: z.strictObject({ recipient: text, body: text }),
      tier: 'write_low_risk',
      flows: { '/recipient': named },
    },
    send_channel_message: {
      input: z.strictObject({ channel: text, body: text }),
      tier: 'write_low_risk',
      flows: { '/channel': named },
    },
    invite_user_to_slack: {
      input: z.strictObject({ user: text, user_email: text }),
      tier: 'write_high_risk',
      tierWithFlows: 'write_low_risk',
      flows: { '/user': named, '/user_email': named },
    },
    remove_user_from_slack: {
      input: z.strictObject({ user: text }),
      tier: 'write_high_risk',
      tierWithFlows: 'write_low_risk',
      flows: { '/user': { integrity: 'trusted' } },
    },
    post_webpage: {
      input: z.strictObject({ url: text, content: text }),
      tier: 'write_high_risk',
      tierWithFlows: 'write_low_risk',
      flows: { '/url': named, '/content': { readers: '/url' } },
    },
  },
};
