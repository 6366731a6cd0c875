import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import * as vscode from 'vscode';
import { type AnswerRequest, answerFor } from '../../service/answer.ts';
import type { ReceivedRequest } from '../../service/received.ts';
import type { LocalService } from '../../service/service.ts';
import { progressOf, statusItems, stoppingEach } from './dialogs.ts';
import { show } from './show.ts';
import { openStageWithKey, type Stage, until } from './stage.ts';

interface Result {
  readonly ok: boolean;
  readonly complete: boolean;
  readonly files: number;
  readonly requests: number;
  readonly findings: readonly {
    readonly file: string;
    readonly line: number;
    readonly rule: string;
    readonly id: string;
  }[];
  readonly suppressed: number;
  readonly notReviewed: readonly string[];
  readonly lost: readonly string[];
  readonly added: number;
  readonly gone: number;
  readonly unchanged: number;
  readonly error?: { readonly kind: string; readonly code?: string };
}

interface Violation {
  readonly file: string;
  readonly rule: string;
  readonly quote: string;
  readonly byRules?: boolean;
}

const run = <T = Result>(command: string, options?: unknown): Thenable<T> =>
  vscode.commands.executeCommand(command, options);
const workspace = (): string => vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? assert.fail('no workspace');
const all = ['hipaa', 'sox', 'pci-dss', 'gdpr'];
const source = [
  '// Takes card payments.',
  'const total = 1;',
  'eval(total);',
  "post('http://payments.example.com/charge');",
  '',
].join('\n');

/** The findings as the Problems panel shows them. */
function problems(uri: vscode.Uri): readonly { readonly rule: string; readonly line: number }[] {
  return vscode.languages
    .getDiagnostics(uri)
    .filter(({ source: from }) => from === 'Svc')
    .map(({ code, range }) => ({
      rule: String(code),
      line: range.start.line + 1,
    }));
}

/** The maximum number of concurrently answered requests, from now on. */
function mostInFlight(service: LocalService): () => number {
  let now = 0;
  let most = 0;
  const watch = ({ path, ended }: ReceivedRequest): boolean => {
    if (!path.endsWith('/chat/completions')) return false;
    now += 1;
    most = Math.max(most, now);
    void ended.then(() => {
      now -= 1;
    });
    return false;
  };
  void service.waitFor(watch);
  return () => most;
}

describe('review', () => {
  let stage: Stage;
  let folder: string;
  let answer: (request: AnswerRequest) => string;
  beforeEach(async () => {
    answer = answerFor;
    stage = await openStageWithKey({ answer: (request) => answer(request) });
    folder = join(workspace(), 'under-review');
    mkdirSync(folder, { recursive: true });
    stage.service.clear();
  });
  afterEach(async () => {
    await run('svc.clearReview');
    await stage.close();
    rmSync(folder, { recursive: true, force: true });
  });

  let opened = 0;
  /** Uses a new name each time: a file that was deleted and created again may be shown with its old text. */
  const open = async (ending: string, text = source): Promise<vscode.TextEditor> => {
    opened += 1;
    const path = join(folder, dirname(ending), `${opened}-${basename(ending)}`);
    writeFileSync(path, text);
    return show(await vscode.workspace.openTextDocument(path));
  };
  const edit = async (change: (edit: vscode.WorkspaceEdit) => void): Promise<void> => {
    const changes = new vscode.WorkspaceEdit();
    change(changes);
    await vscode.workspace.applyEdit(changes);
  };

  describe('of a file', () => {
    it('lists findings in Problems with rule, framework and severity, and uses the model for reviews', async () => {
      const { document } = await open('pay.ts');
      const result = await run('svc.reviewFile', { frameworks: ['pci-dss'] });
      assert.deepEqual([result.ok, result.complete], [true, true], JSON.stringify(result));
      assert.deepEqual(problems(document.uri), [
        { rule: 'pci-injection', line: 3 },
        { rule: 'pci-transmission', line: 4 },
      ]);
      const [first] = vscode.languages.getDiagnostics(document.uri);
      assert.match(first?.message ?? '', /\(PCI DSS, high\)$/);
      const body = stage.service.chats[0]?.json as { model: string } | undefined;
      assert.equal(body?.model, 'svc/compliance-assistant');
      await document.save();
    });

    it('uses the frameworks in force without asking', async () => {
      await stage.set('svc.compliance.frameworks', ['sox']);
      await open('ledger.ts', '// The ledger.\nentry.approvedBy = entry.requestedBy;\n');
      const { findings } = await run('svc.reviewFile');
      assert.deepEqual(
        findings.map(({ rule, line }) => [rule, line]),
        [['sox-segregation-of-duties', 2]],
      );
      assert.equal(stage.service.chats[0]?.headers['svc-compliance-frameworks'], 'sox');
    });

    it('moves findings with their lines, and removes them when their quoted text changes', async () => {
      const { document } = await open('pay.ts');
      await run('svc.reviewFile', { frameworks: ['pci-dss'] });
      await edit((changes) => changes.insert(document.uri, new vscode.Position(0, 0), '// one\n// two\n'));
      assert.deepEqual(problems(document.uri), [
        { rule: 'pci-injection', line: 5 },
        { rule: 'pci-transmission', line: 6 },
      ]);
      await edit((changes) => changes.replace(document.uri, new vscode.Range(4, 0, 4, 4), 'parse'));
      assert.deepEqual(problems(document.uri), [{ rule: 'pci-transmission', line: 6 }]);
      const again = await run('svc.reviewFile', { frameworks: ['pci-dss'] });
      assert.deepEqual([again.added, again.gone, again.unchanged], [0, 1, 1]);
      await document.save();
    });

    it('removes findings with their file, however it is deleted, and with its folder', async () => {
      mkdirSync(join(folder, 'inner'));
      const first = await open('pay.ts');
      await run('svc.reviewFile', { frameworks: ['pci-dss'] });
      const second = await open('inner/pay.ts');
      await run('svc.reviewFile', { frameworks: ['pci-dss'] });
      const uris = [first.document.uri, second.document.uri];
      assert.deepEqual(
        uris.map((uri) => problems(uri).length),
        [2, 2],
      );
      rmSync(first.document.uri.fsPath);
      rmSync(join(folder, 'inner'), { recursive: true });
      await until(vscode.languages.onDidChangeDiagnostics, () => uris.every((uri) => problems(uri).length === 0));
    });

    it('suppresses a finding by a comment with a reason, which the next review honors', async () => {
      const { document } = await open('pay.ts');
      const { findings } = await run('svc.reviewFile', { frameworks: ['pci-dss'] });
      const evaluated = findings.find(({ rule }) => rule === 'pci-injection') ?? assert.fail();
      const fixes = await vscode.commands.executeCommand<vscode.CodeAction[]>(
        'vscode.executeCodeActionProvider',
        document.uri,
        new vscode.Range(2, 0, 2, 4),
      );
      const titles = fixes.map(({ title }) => title).filter((title) => title.startsWith('Svc: '));
      assert.deepEqual(titles, [
        'Svc: Fix (pci-injection)',
        'Svc: Explain (pci-injection)',
        'Svc: Suppress with a Reason… (pci-injection)',
      ]);
      assert.ok(!fixes.some(({ title }) => title === 'Fix with Svc'), 'one fix, not two');
      const ref = { uri: document.uri.toString(), id: evaluated.id };
      assert.deepEqual(await run('svc.suppressFinding', { ...ref, reason: ' ' }), { ok: false });
      assert.deepEqual(await run('svc.suppressFinding', { ...ref, reason: 'the text is constant' }), { ok: true });
      assert.equal(document.lineAt(2).text, '// svc-ignore pci-injection: the text is constant');
      assert.deepEqual(problems(document.uri), [{ rule: 'pci-transmission', line: 5 }]);
      const again = await run('svc.reviewFile', { frameworks: ['pci-dss'] });
      assert.deepEqual([again.suppressed, again.findings.length, again.gone, again.unchanged], [1, 1, 1, 1]);
      assert.deepEqual(problems(document.uri), [{ rule: 'pci-transmission', line: 5 }]);
      await document.save();
    });

    it('proposes a fix that may change other lines, too, as hunks in a diff, and writes nothing', async () => {
      const { document } = await open('pay.ts');
      const { findings } = await run('svc.reviewFile', { frameworks: ['pci-dss'] });
      const ref = { uri: document.uri.toString(), id: findings[0]?.id };
      const fixed = `import { parse } from 'safe';\n\n${source.replace('eval', 'parse')}`;
      answer = () => `\`\`\`ts\n${fixed.replace('\n\n', '\n')}\`\`\`\n`;
      assert.deepEqual(await run('svc.fixFinding', ref), { ok: true });
      const tab = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
      assert.ok(tab instanceof vscode.TabInputTextDiff && tab.modified.scheme === 'svc-proposal');
      assert.equal(document.getText(), source);
      const { body = '' } = stage.service.chats.at(-1) ?? {};
      assert.match(body, /- line 3: .*requirement 6\.2\.4/);
      const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>(
        'vscode.executeCodeLensProvider',
        tab.modified,
      );
      assert.equal(lenses.filter(({ command }) => command?.command === 'svc.acceptHunk').length, 2);
      assert.deepEqual(await run('svc.acceptProposal'), { ok: true, left: 0 });
      assert.equal(document.getText(), fixed);
      await document.save();
    });

    it('sends nothing for the fix of a file that cannot be changed, or if the service fails writes nothing', async () => {
      const { document } = await open('pay.ts');
      const { findings } = await run('svc.reviewFile', { frameworks: ['pci-dss'] });
      const ref = { uri: document.uri.toString(), id: findings[0]?.id };
      const { length: asked } = stage.service.chats;
      chmodSync(document.uri.fsPath, 0o444);
      assert.deepEqual(await run('svc.fixFinding', ref), { ok: false });
      assert.equal(stage.service.chats.length, asked);
      chmodSync(document.uri.fsPath, 0o644);
      stage.service.enqueue('forbidden');
      assert.deepEqual(await run('svc.fixFinding', ref), { ok: false });
      assert.equal(document.getText(), source);
    });

    it('places a finding whose quote is not in the file at its line, marked as approximate, and with a fix', async () => {
      const { document } = await open('pay.ts');
      const findings = [{ rule: 'PCI-Injection', line: 3, quote: 'run_it(total)', message: 'Run as code.' }];
      answer = () => `Here is what I found:\n\n${JSON.stringify({ findings })}`;
      const { complete } = await run('svc.reviewFile', { frameworks: ['pci-dss'] });
      assert.equal(complete, true);
      const [finding] = vscode.languages.getDiagnostics(document.uri).filter(({ source: from }) => from === 'Svc');
      assert.deepEqual(
        [finding?.range.start.line, finding?.message],
        [2, 'Run as code. (PCI DSS, high, approximate place)'],
      );
      const fixes = await vscode.commands.executeCommand<vscode.CodeAction[]>(
        'vscode.executeCodeActionProvider',
        document.uri,
        new vscode.Range(2, 0, 2, 4),
      );
      assert.ok(fixes.some(({ title }) => title === 'Svc: Fix (pci-injection)'));
    });

    it('explains a finding in the panel, with its code', async () => {
      const { document } = await open('pay.ts');
      const { findings } = await run('svc.reviewFile', { frameworks: ['pci-dss'] });
      assert.deepEqual(await run('svc.explainFinding', { uri: document.uri.toString(), id: findings[0]?.id }), {
        ok: true,
      });
      assert.match(stage.service.chats.at(-1)?.body ?? '', /PCI DSS v4\.0\.1, requirement 6\.2\.4/);
    });
  });

  describe('that has ended', () => {
    it('stays in the status bar, complete or not, with a link to its report, until it is cleared', async () => {
      await open('pay.ts');
      const [item, ...more] = await statusItems(async () => {
        await run('svc.reviewFile', { frameworks: ['pci-dss'] });
      });
      assert.deepEqual(more, []);
      assert.deepEqual(item, {
        ...{ id: 'svc.review', text: '$(checklist) Review complete. Findings: 2', isShown: true },
        ...{ label: 'Review complete. Findings: 2', command: 'svc.showReview' },
      });
      await run('svc.clearReview');
      const [failed] = await statusItems(async () => {
        stage.service.enqueue('review-prose');
        await run('svc.reviewFile', { frameworks: ['pci-dss'] });
      });
      assert.equal(failed?.text, '$(warning) Review incomplete. Findings: 0');
      assert.match(
        failed.label,
        /Not reviewed: 1, for example .*pay\.ts: the answer contains text instead of findings$/,
      );
      await run('svc.clearReview');
      const [cleared] = await statusItems(async () => {
        await run('svc.reviewFile', { frameworks: ['pci-dss'] });
        await run('svc.clearReview');
      });
      assert.equal(cleared?.isShown, false);
    });

    it('is replaced there by the review that runs, and is back where that is refused', async () => {
      await open('pay.ts');
      const label = 'Review complete. Findings: 2';
      const [item] = await statusItems(async (now) => {
        const shown = () => now().map((one) => [one.text, one.label, one.command, one.isShown]);
        await run('svc.reviewFile', { frameworks: ['pci-dss'] });
        assert.deepEqual(now()[0]?.label, label);
        const held = stage.service.holdChunks();
        const before = stage.service.chats.length;
        const running = run('svc.reviewFile', { frameworks: ['pci-dss'] });
        await stage.service.waitFor(() => stage.service.chats.length > before);
        assert.deepEqual(shown(), [['$(loading~spin) Svc is reviewing…', 'Svc is reviewing…', undefined, true]]);
        // What is cleared meanwhile is the last result: the review runs on.
        await run('svc.clearReview');
        assert.deepEqual(now()[0]?.text, '$(loading~spin) Svc is reviewing…');
        held.release();
        await running;
      });
      assert.deepEqual([item?.label, item?.command], [label, 'svc.showReview']);
    });

    it('stays there without any result, too', async () => {
      await open('pay.ts');
      stage.service.enqueue('forbidden');
      const [item] = await statusItems(async () => {
        await run('svc.reviewFile', { frameworks: ['pci-dss'] });
      });
      assert.deepEqual([item?.text, item?.isShown], ['$(warning) Review incomplete. Findings: 0', true]);
    });
  });

  describe('that is incomplete', () => {
    for (const [scenario, reason, kept] of [
      ['review-prose', 'text instead of findings', 0],
      ['review-truncated', 'was interrupted', 1],
      ['review-unknown-rule', 'its rule was not asked about: house-style', 2],
      ['review-hostile', 'it is about another file', 3],
      ['length', 'was interrupted', 0],
      ['refuse-content', 'the service did not answer', 0],
    ] as const) {
      it(`reports ${scenario}, and keeps what could be read`, async () => {
        const { document } = await open('pay.ts');
        stage.service.enqueue(scenario);
        const result = await run('svc.reviewFile', { frameworks: ['pci-dss'] });
        assert.deepEqual([result.ok, result.complete], [true, false]);
        assert.ok(
          [...result.notReviewed, ...result.lost].some((line) => line.includes('pay.ts') && line.includes(reason)),
          [...result.notReviewed, ...result.lost].join('\n'),
        );
        assert.ok(problems(document.uri).length >= kept, JSON.stringify(problems(document.uri)));
        const file = join(folder, 'out.sarif');
        await run('svc.exportReview', { format: 'sarif', target: vscode.Uri.file(file).toString() });
        const { invocations } = JSON.parse(readFileSync(file, 'utf8')).runs[0];
        assert.equal(invocations[0].executionSuccessful, false);
        assert.ok(invocations[0].toolExecutionNotifications.length > 0);
      });
    }

    it('keeps the findings of a file that could not be reviewed again', async () => {
      const { document } = await open('pay.ts');
      await run('svc.reviewFile', { frameworks: ['pci-dss'] });
      stage.service.enqueue('unauthorized');
      const failed = await run('svc.reviewFile', { frameworks: ['pci-dss'] });
      assert.deepEqual([failed.ok, failed.error?.kind], [false, 'auth']);
      assert.equal(problems(document.uri).length, 2);
      const again = await run('svc.reviewFile', { frameworks: ['pci-dss'] });
      assert.deepEqual([again.added, again.gone, again.unchanged], [0, 0, 2]);
    });
  });

  it('a review of the sample workspace finds the violations in its manifest', async function () {
    const sample = join(
      vscode.extensions.getExtension('svc.svc-coder')?.extensionPath ?? '',
      'test/fixtures/review-sample',
    );
    cpSync(sample, folder, { recursive: true });
    const { violations }: { violations: readonly Violation[] } = JSON.parse(
      readFileSync(join(sample, 'manifest.json'), 'utf8'),
    );
    const include = 'under-review/**/*.{js,py,java,sql,yaml,go}';
    const result = await run('svc.reviewWorkspace', { include, frameworks: all, confirmed: true });
    assert.deepEqual([result.ok, result.complete, result.files], [true, true, 6], JSON.stringify(result.notReviewed));
    const isFound = ({ file, rule, quote }: Violation): boolean => {
      const lines = readFileSync(join(sample, file), 'utf8').split('\n');
      const line = lines.findIndex((text) => text.includes(quote)) + 1;
      return result.findings.some((found) => found.file.endsWith(file) && found.rule === rule && found.line === line);
    };
    const found = violations.filter(isFound);
    const missed = violations.filter((violation) => !isFound(violation));
    const list = (of: readonly Violation[]): string => of.map(({ file, rule }) => `\n       ${file}: ${rule}`).join('');
    // Printed by the run.
    if (this.test !== undefined) {
      this.test.title += ` finds ${found.length}:${list(found)}\n     and misses ${missed.length}:${list(missed)}`;
    }
    assert.deepEqual(
      missed,
      violations.filter(({ byRules }) => byRules === false),
    );
    assert.equal(found.length, 17);
    assert.equal(result.findings.length, found.length);
    for (const { file } of found) assert.ok(problems(vscode.Uri.file(join(folder, file))).length > 0, file);
  });

  describe('of the workspace', () => {
    const many = (count: number): void => {
      for (let index = 0; index < count; index += 1) writeFileSync(join(folder, `f${index}.ts`), source);
    };
    const review = (more: object = {}): Thenable<Result> =>
      run('svc.reviewWorkspace', {
        include: 'under-review/**/*.ts',
        frameworks: ['pci-dss'],
        confirmed: true,
        ...more,
      });

    it('says in the status bar how many of its files are done while it runs', async () => {
      many(3);
      await statusItems(async (now) => {
        const held = stage.service.holdChunks();
        const running = review();
        await stage.service.waitFor(() => stage.service.chats.length > 0);
        assert.equal(now()[0]?.text, '$(loading~spin) Review: 0 of 3 files, 0 findings');
        held.release();
        await running;
        assert.equal(now()[0]?.text, '$(checklist) Review complete. Findings: 6');
      });
    });

    it('leaves out files that may not be sent, and never sends a byte of them', async () => {
      many(3);
      writeFileSync(join(folder, '.gitignore'), 'f1.ts\n');
      writeFileSync(join(folder, 'f1.ts'), '// CANARY\n');
      const result = await review();
      assert.deepEqual([result.complete, result.files], [true, 2]);
      assert.ok(stage.service.chats.every(({ body }) => !body.includes('CANARY')));
    });

    it('reviews 200 files in 20 requests, at most twelve at the same time, while the window stays responsive', async function () {
      this.timeout(120_000);
      many(200);
      const most = mostInFlight(stage.service);
      const held = stage.service.holdChunks();
      const reviewing = review();
      await stage.service.waitFor(() => stage.service.chats.length === 12);
      // A thirteenth would have arrived in the time of another whole request.
      assert.equal((await run('svc.checkHealth')).ok, true);
      assert.equal(stage.service.chats.length, 12);
      let longest = 0;
      let last = performance.now();
      const beat = setInterval(() => {
        longest = Math.max(longest, performance.now() - last);
        last = performance.now();
      }, 10);
      held.release();
      const result = await reviewing;
      clearInterval(beat);
      if (this.test !== undefined) this.test.title += ` (busy for ${longest.toFixed(0)} ms at a time, at most)`;
      assert.deepEqual([result.complete, result.requests, result.findings.length], [true, 20, 400]);
      assert.ok(most() <= 12, String(most()));
    });

    it('shows the findings of each answer as it arrives, says how far it is, and gives each to its file', async () => {
      await stage.set('svc.review.parallel', 1);
      many(30);
      const names = Array.from({ length: 30 }, (_, index) => vscode.Uri.file(join(folder, `f${index}.ts`)));
      const shown: number[] = [];
      answer = (request) => {
        shown.push(names.filter((uri) => problems(uri).length === 2).length);
        return answerFor(request);
      };
      let result: Result | undefined;
      const said = await progressOf(async () => {
        result = await review();
      });
      // What is in the Problems panel when each request arrives at the service.
      assert.deepEqual(shown, [0, 10, 20]);
      const ofAnswers = [0, 10, 20, 30].map((files) => `${files} of 30 files, ${files * 2} findings`);
      // Between them may be files of an answer that was still arriving.
      assert.deepEqual(
        said.filter((words) => ofAnswers.includes(words)),
        ofAnswers,
      );
      assert.ok(
        said.every((words) => /^(\d+) of 30 files, (\d+) findings$/.test(words)),
        said.join('\n'),
      );
      assert.deepEqual([result?.complete, result?.requests, result?.findings.length], [true, 3, 60]);
      for (const uri of names) assert.equal(problems(uri).length, 2, uri.path);
      const again = await review();
      assert.deepEqual([again.added, again.gone, again.unchanged], [0, 0, 60]);
    });

    it('keeps the findings so far when it is stopped, and says what was not reviewed', async () => {
      await stage.set('svc.review.parallel', 1);
      many(40);
      let result: Result | undefined;
      await progressOf(async (stop) => {
        answer = (request) => {
          if (stage.service.chats.length === 3) stop();
          return answerFor(request);
        };
        result = await review();
      });
      assert.deepEqual([result?.ok, result?.complete, result?.requests], [true, false, 2]);
      assert.equal(result?.findings.length, 40);
      assert.equal(new Set(result?.findings.map(({ file }) => file)).size, 20);
      assert.equal(result?.notReviewed.length, 20);
      assert.ok(result?.notReviewed.every((line) => line.endsWith(': the review was stopped before its answer')));
      const shown = Array.from({ length: 40 }, (_, index) => problems(vscode.Uri.file(join(folder, `f${index}.ts`))));
      assert.equal(shown.flat().length, 40);
      assert.equal(stage.service.chats.length, 3);
    });

    it('continues with as many requests as the service takes, and loses nothing', async () => {
      await stage.close();
      stage = await openStageWithKey({ maxAtOnce: 2, chunkDelayMs: 2 });
      many(60);
      const result = await review();
      assert.deepEqual([result.complete, result.requests, result.findings.length], [true, 12, 120]);
      // Two of the first four, and rarely one more.
      assert.ok(stage.service.chats.length <= 12 + 8, String(stage.service.chats.length));
    });

    it('finds the same with a window of 4,000 tokens', async () => {
      many(30);
      writeFileSync(join(folder, 'large.ts'), `${'const a = 1;\n'.repeat(1500)}// card\neval(a);\n`);
      stage.service.setScenario('strict-window');
      const result = await review();
      assert.deepEqual([result.complete, result.findings.length], [true, 61], JSON.stringify(result.notReviewed));
      const declared = stage.service.chats.length;
      stage.service.clear();
      stage.service.setScenario('strict-window');
      await stage.set('svc.context.windows', ['svc/*=4000']);
      const again = await review();
      assert.deepEqual([again.complete, again.findings.length, again.unchanged], [true, 61, 61]);
      assert.ok(stage.service.chats.length < declared, `${stage.service.chats.length} of ${declared}`);
    });

    it('asks again about the files of an answer that is spoilt, and only about them', async () => {
      many(20);
      await stage.set('svc.review.parallel', 4);
      for (const scenario of ['review-prose', 'review-truncated', 'length', 'refuse-content'] as const) {
        stage.service.clear();
        stage.service.enqueue(scenario, scenario);
        const { complete, findings, notReviewed } = await review();
        assert.deepEqual([complete, findings.length], [true, 40], `${scenario}: ${notReviewed}`);
        assert.ok(stage.service.chats.length > 4 && stage.service.chats.length <= 4 + 2 * 4, scenario);
      }
    });

    it('gives findings to the right one of files with odd names, and shows none for a file that was renamed in the meantime', async () => {
      const names = [
        '[id].ts',
        'b\u00fccher.ts',
        'a (1).ts',
        'pay.ts',
        'inner/pay.ts',
        'inner/[id].ts',
        '#1 %20.ts',
        "it's.ts",
      ];
      mkdirSync(join(folder, 'inner'));
      await stage.set('svc.review.parallel', 1);
      for (const [index, name] of names.entries()) {
        writeFileSync(join(folder, name), `// card ${index}\nconst n${index} = eval(x${index});\n`);
      }
      const uri = (name: string): vscode.Uri => vscode.Uri.file(join(folder, name));
      let isRenamed = false;
      answer = (request) => {
        if (!isRenamed) renameSync(join(folder, 'pay.ts'), join(folder, 'moved.ts'));
        isRenamed = true;
        return answerFor(request);
      };
      const { findings } = await review();
      assert.equal(findings.length, names.length);
      assert.deepEqual(findings.map(({ file }) => file).sort(), names.map((name) => `under-review/${name}`).sort());
      await until(vscode.languages.onDidChangeDiagnostics, () => problems(uri('pay.ts')).length === 0);
      for (const name of names.filter((one) => one !== 'pay.ts')) assert.equal(problems(uri(name)).length, 1, name);
    });

    it('places the findings in a file that was changed between the question and the answer', async () => {
      many(8);
      await stage.set('svc.review.parallel', 1);
      const document = await vscode.workspace.openTextDocument(join(folder, 'f1.ts'));
      const held = stage.service.holdChunks();
      const reviewing = review();
      await stage.service.waitFor(() => stage.service.chats.length === 1);
      await edit((changes) => {
        changes.insert(document.uri, new vscode.Position(0, 0), '// one\n// two\n');
        changes.replace(document.uri, new vscode.Range(3, 0, 3, 4), 'send');
      });
      held.release();
      const { findings } = await reviewing;
      assert.equal(findings.length, 16);
      // The other one quotes text that is no longer there.
      assert.deepEqual(problems(document.uri), [{ rule: 'pci-injection', line: 5 }]);
      await document.save();
    });

    it('sends the others of a request if a file of it is excluded after it was read', async () => {
      many(12);
      await stage.set('svc.review.parallel', 1);
      answer = (request) => {
        writeFileSync(join(folder, '.gitignore'), 'f8.ts\n');
        return answerFor(request);
      };
      const { complete, findings, notReviewed } = await review();
      assert.equal(complete, false);
      const sent = stage.service.chats.slice(1).map(({ body }) => body);
      assert.ok(sent.every((body) => !body.includes('under-review/f8.ts')));
      assert.deepEqual(notReviewed, ['under-review/f8.ts: it is excluded']);
      assert.equal(findings.length, 22);
    });

    it('names the files that a rate limit left out', async () => {
      many(12);
      stage.service.enqueue(
        'normal',
        'normal',
        'rate-limit-long',
        'rate-limit-long',
        'rate-limit-long',
        'rate-limit-long',
      );
      const result = await review();
      assert.equal(result.complete, false);
      assert.ok(
        result.notReviewed.some((line) => /f\d+\.ts: the request failed \(too many requests, 429\)/.test(line)),
      );
      const reviewed = new Set(result.findings.map(({ file }) => file));
      assert.equal(reviewed.size + result.notReviewed.length, 12);
    });

    it('masks secrets without asking about each', async () => {
      const secret = ['svc_', 'ent_', 'canary0123456789abcdef'].join('');
      for (const name of ['a.ts', 'b.ts']) writeFileSync(join(folder, name), `// card\nconst apiKey = '${secret}';\n`);
      const result = await review();
      assert.equal(result.complete, true);
      assert.ok(stage.service.chats.length === 2 && stage.service.chats.every(({ body }) => !body.includes(secret)));
      assert.deepEqual(
        result.findings.map(({ rule, line }) => [rule, line]),
        [
          ['pci-hard-coded-credential', 2],
          ['pci-hard-coded-credential', 2],
        ],
      );
    });
  });

  it('ends where the user cancels the reading of the files, and asks and sends nothing', async () => {
    await open('pay.ts');
    const { showQuickPick } = vscode.window;
    let asked = 0;
    const pick = async (): Promise<undefined> => {
      asked += 1;
    };
    Object.assign(vscode.window, { showQuickPick: pick });
    try {
      // No frameworks are set: the user would be asked for them.
      for (const [command, options] of [
        ['svc.reviewFile', {}],
        ['svc.reviewWorkspace', { include: 'under-review/**', confirmed: true }],
      ] as const) {
        await stoppingEach(async () => {
          const { ok, error } = await run(command, options);
          assert.deepEqual([ok, error?.kind], [false, 'aborted'], command);
        });
      }
    } finally {
      Object.assign(vscode.window, { showQuickPick });
    }
    assert.deepEqual([asked, stage.service.chats.length], [0, 0]);
    // It is not listed as a review that found nothing.
    assert.deepEqual(problems(vscode.window.activeTextEditor?.document.uri ?? assert.fail('no editor')), []);
  });

  it('a review of changes sends the diff and the file, for staged and unstaged changes', async () => {
    const git = (...args: readonly string[]): void => {
      const identity = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com'];
      execFileSync('git', [...identity, ...args], { cwd: workspace(), stdio: 'ignore' });
    };
    // Not removed at the end: the git extension still watches it, and the workspace belongs only to this run.
    git('init');
    writeFileSync(join(folder, 'old.ts'), '// card\nconst a = 1;\n');
    writeFileSync(join(folder, 'same.ts'), source);
    git('add', '.');
    git('commit', '-m', 'first');
    writeFileSync(join(folder, 'old.ts'), '// card\nconst a = 1;\neval(a);\n');
    writeFileSync(join(folder, 'new.ts'), '// card\neval(b);\n');
    git('add', 'under-review/old.ts');
    const result = await run('svc.reviewChanges', { frameworks: ['pci-dss'], confirmed: true });
    assert.equal(result.ok, true, JSON.stringify(result));
    assert.deepEqual(result.findings.map(({ file, line, rule }) => [file, line, rule]).sort(), [
      ['under-review/new.ts', 2, 'pci-injection'],
      ['under-review/old.ts', 3, 'pci-injection'],
    ]);
    const body = stage.service.chats.find((chat) => chat.body.includes('old.ts'))?.body ?? '';
    assert.match(body, /@@ -1,2 \+1,3 @@/);
  });

  it('is recorded in the audit log as a review, without content', async () => {
    await open('pay.ts');
    await run('svc.reviewFile', { frameworks: ['pci-dss'] });
    const target = join(folder, 'audit.jsonl');
    await run('svc.auditLog.export', { format: 'jsonl', target: vscode.Uri.file(target).toString() });
    const text = readFileSync(target, 'utf8');
    assert.match(text, /"action":"review"/);
    assert.ok(!text.includes('payments.example.com'));
  });

  it('opens as a readable page and is exported as Markdown to a file that the user chooses', async () => {
    await open('pay.ts');
    await run('svc.reviewFile', { frameworks: ['pci-dss'] });
    assert.deepEqual(await run('svc.showReview'), { ok: true });
    const isShown = (): boolean =>
      vscode.window.tabGroups.all
        .flatMap(({ tabs }) => tabs)
        .some(({ input }) => input instanceof vscode.TabInputWebview && input.viewType.includes('markdown.preview'));
    await until(vscode.window.tabGroups.onDidChangeTabs, isShown);
    const file = join(folder, 'review.md');
    assert.equal(existsSync(file), false);
    await run('svc.exportReview', { format: 'markdown', target: vscode.Uri.file(file).toString() });
    assert.match(readFileSync(file, 'utf8'), /# Compliance review[\s\S]*pci-injection[\s\S]*requirement 6\.2\.4/);
  });

  it('is not sent if the administrator switched reviews off', async () => {
    const file = process.env.SVC_TEST_POLICY_FILE ?? assert.fail('SVC_TEST_POLICY_FILE is not set');
    writeFileSync(file, JSON.stringify({ version: 1, disabledFeatures: ['review'] }));
    try {
      await run('svc.showPolicy');
      await open('pay.ts');
      const result = await run('svc.reviewFile', { frameworks: ['pci-dss'] });
      assert.deepEqual([result.ok, result.error?.code], [false, 'feature-disabled']);
      assert.equal(stage.service.chats.length, 0);
    } finally {
      rmSync(file, { force: true });
      await run('svc.showPolicy');
    }
  });
});
