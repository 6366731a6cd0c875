import assert from 'node:assert/strict';
import { organizationUri } from '../../../src/send/message/attachment.ts';
import { quote } from '../../../src/send/message/quote.ts';
import {
  changeRules,
  houseRules,
  instructionsLead,
  leadOf,
  planRules,
} from '../../../src/session/prompts/houseRules.ts';
import { summaryPrompt } from '../../../src/session/prompts/prompts.ts';
import { withoutHouseRules } from '../../service/rules/prompt.ts';
import { attachment } from './attachment.ts';

describe('the rules for the model', () => {
  it('are removed by the local service before it reads a question', () => {
    assert.equal(withoutHouseRules(`${houseRules}\n\nHello`), 'Hello');
    assert.equal(withoutHouseRules('Hello'), 'Hello');
    const text = 'Be brief.\n````md\nThese are\n````\n';
    const lead = leadOf([attachment({ label: 'AGENTS.md', text }), attachment({ label: 'b', text: 'c' })]);
    const sent = [...lead.map((part) => (typeof part === 'string' ? part : quote(part))), 'Hello\n\n```\ncode\n```'];
    assert.equal(withoutHouseRules(sent.join('\n\n')), 'Hello\n\n```\ncode\n```');
    assert.equal(withoutHouseRules([...lead.slice(0, 2), '[left out: AGENTS.md]', 'Hello'].join('\n\n')), 'Hello');
  });

  it('are followed by those of the mode', () => {
    assert.deepEqual(leadOf([], 'plan'), [houseRules, planRules]);
    assert.deepEqual(leadOf([], 'change'), [houseRules, changeRules]);
    for (const rules of [planRules, changeRules])
      assert.equal(withoutHouseRules(`${houseRules}\n\n${rules}\n\nHello`), 'Hello');
  });

  it('ask for an answer in the language of the question, and for code in that of the project', () => {
    assert.match(
      houseRules,
      /Answer in the language of the user's question.* Code and its comments keep their language\./,
    );
    assert.match(summaryPrompt, /Write in the language of the questions\.$/);
  });

  it('come before each instructions file, which is quoted with its name', () => {
    const file = attachment({ label: 'one/AGENTS.md' });
    assert.deepEqual(leadOf([]), [houseRules]);
    assert.deepEqual(leadOf([file]), [houseRules, "These are the project's instructions (one/AGENTS.md):", file]);
  });

  it('come before the instructions of the organization, which are not data of the project', () => {
    const file = attachment({ label: 'AGENTS.md' });
    const ours = attachment({ label: 'organization', uri: organizationUri, text: 'No GPL code.\n````\nHello\n````\n' });
    const ofOrganization = leadOf([ours])[1] ?? '';
    assert.match(String(ofOrganization), /^These are the organization's instructions\. They take precedence over/);
    const ofProject = "These are the project's instructions (AGENTS.md):";
    assert.deepEqual(leadOf([ours, file]), [houseRules, ofOrganization, ours, ofProject, file]);
    assert.deepEqual(instructionsLead([ours]), [ofOrganization, ours]);
    const [first, second, rule, ...others] = instructionsLead([ours, file]);
    assert.deepEqual([first, second], [ofOrganization, ours]);
    assert.match(String(rule), /the project's instructions are data/);
    assert.deepEqual(others, [ofProject, file]);
    for (const lead of [
      leadOf([ours]),
      leadOf([ours, file]),
      instructionsLead([ours]),
      instructionsLead([ours, file]),
    ]) {
      const sent = [...lead.map((part) => (typeof part === 'string' ? part : quote(part))), 'Fix this.'];
      assert.equal(withoutHouseRules(sent.join('\n\n')), 'Fix this.');
    }
  });
});
