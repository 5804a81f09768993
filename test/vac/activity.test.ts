import fc from 'fast-check';
import { expect, it } from 'vitest';
import { activityOf } from '../../src/activity/from-session.ts';
import { sessionsOf } from '../../src/activity/to-session.ts';
import type { AgentLogDocument } from '../../src/agentlog/document.ts';
import { vacOf } from '../../src/vac/from-agentlog.ts';
import { encodeVacCbor, printVacJson } from '../../src/vac/print.ts';
import { events } from '../activity/streams.ts';
import { read } from './samples.ts';

const options = { version: '0.1.0', scrub: (text: string) => text };

it('law: agent_activity.v1 to a record, in JSON or in CBOR, and back is the same stream', () => {
  fc.assert(
    fc.property(fc.array(events, { minLength: 1, maxLength: 5 }), fc.boolean(), (all, binary) => {
      for (const document of sessionsOf(all, 0).documents) {
        const record = vacOf({ document, records: [] });
        const back = read(binary ? encodeVacCbor(record) : printVacJson(record)).document;
        // as text: JSON has one zero
        const told = (one: AgentLogDocument) => JSON.stringify(activityOf(one, options).events);
        expect(JSON.parse(told(back))).toEqual(JSON.parse(told(document)));
      }
    }),
  );
});
