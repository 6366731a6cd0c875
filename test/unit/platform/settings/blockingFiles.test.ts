import assert from 'node:assert/strict';
import fc from 'fast-check';
import { admit, type RequestContext } from '../../../../src/gate/admit.ts';
import { findBlockingFiles } from '../../../../src/platform/settings/blockingFiles.ts';
import { resolvePolicy } from '../../../../src/policy/compliance/resolve.ts';
import { resolveConnection } from '../../../../src/policy/connection.ts';
import { resolveRequestOptions } from '../../../../src/policy/requestOptions.ts';
import type { Layer } from '../../../../src/policy/requestPolicy.ts';
import { resolvePreview } from '../../../../src/policy/resolvePreview.ts';
import { isServiceError } from '../../../../src/util/errors.ts';
import { folder, user, workspace } from '../../policy/layers.ts';

const address = user({ 'svc.baseUrl': 'https://svc.example.com/api/v1' });
const regions = ['us-east', 'eu-west'] as const;

/** A request with the settings of the named folders. */
function request(layers: readonly Layer[], names: readonly string[], more: Partial<RequestContext> = {}) {
  const counted = [address, ...layers.filter(({ layer, name = '' }) => layer !== 'folder' || names.includes(name))];
  return {
    isTrusted: true,
    policy: resolvePolicy(counted),
    connection: resolveConnection(counted),
    options: resolveRequestOptions(counted, 'svc.model.chat'),
    managed: { state: 'none' },
    preview: resolvePreview(counted),
    settingsFiles: [],
    ...more,
  } satisfies RequestContext;
}

/** The names of the folders whose AGENTS.md is in the way; `others` are those of the rest of the request. */
function found(layers: readonly Layer[], project: readonly string[], others: readonly string[]) {
  const files = project.map((name) => ({ name, folders: others.includes(name) ? [] : [name] }));
  const all = request(layers, [...project, ...others]);
  return findBlockingFiles(files, all, request(layers, others)).map(({ name }) => name);
}

const region = (name: string, value: unknown): Layer => folder(name, { 'svc.compliance.dataResidency': value });

describe('the instructions that are in the way of a request', () => {
  const two = [region('app', 'us-east'), region('lib', 'eu-west'), region('docs', undefined)];

  it('are those of all folders that conflict, in any order, and no others', () => {
    assert.deepEqual(found(two, ['app', 'lib', 'docs'], []), ['app', 'lib']);
    assert.deepEqual(found(two, ['docs', 'lib', 'app'], []), ['lib', 'app']);
    assert.deepEqual(found([...two].reverse(), ['app', 'lib', 'docs'], []), ['app', 'lib']);
  });

  it('are not those of a folder that an attachment or an earlier turn brings in as well', () => {
    assert.deepEqual(found(two, ['app', 'lib'], ['app']), ['lib']);
    assert.deepEqual(found(two, ['app', 'lib'], ['docs', 'lib']), ['app']);
  });

  it('are none if the rest of the request conflicts without them', () => {
    assert.deepEqual(found(two, ['app', 'lib'], ['app', 'lib']), []);
    assert.deepEqual(found([...two, region('more', 'us-west')], ['more'], ['app', 'lib']), []);
    assert.deepEqual(found([...two, workspace({ 'svc.request.maxTokens': -1 })], ['docs'], []), []);
  });

  it('are those of one folder whose value is invalid, or conflicts with the user or the workspace', () => {
    assert.deepEqual(found([region('app', 'moon')], ['app', 'lib'], []), ['app']);
    const outer = workspace({ 'svc.compliance.dataResidency': 'us-west' });
    assert.deepEqual(found([outer, region('app', 'us-west'), region('lib', 'eu-west')], ['app', 'lib'], []), ['lib']);
  });

  it('are those of a folder that asks for a region other than that of the administrator', () => {
    const managed: Layer = { layer: 'managed', values: { 'svc.compliance.dataResidency': 'us-east' } };
    assert.deepEqual(found([managed, ...two], ['app', 'lib'], []), ['lib']);
  });

  it('are those of a folder with an unknown framework, while known ones only add up', () => {
    const frameworks = (name: string, value: unknown): Layer => folder(name, { 'svc.compliance.frameworks': value });
    const layers = [frameworks('app', ['hipaa']), frameworks('lib', ['gdpr', 'pci-dss']), frameworks('docs', ['iso'])];
    assert.deepEqual(found(layers, ['app', 'lib'], []), []);
    assert.deepEqual(found(layers, ['app', 'lib', 'docs'], []), ['docs']);
  });

  it('are those of a folder whose settings file is broken', () => {
    const broken = [{ file: 'lib/.vscode/settings.json', reason: 'syntax', line: 1 }] as const;
    const files = ['app', 'lib', 'li'].map((name) => ({ name, folders: [name] }));
    const all = request([], [], { settingsFiles: broken });
    assert.deepEqual(
      findBlockingFiles(files, all, request([], [])).map(({ name }) => name),
      ['lib'],
    );
    assert.deepEqual(findBlockingFiles(files, all, all), []);
  });

  it('unblock each request that is not blocked without instructions', () => {
    const names = ['a', 'b', 'c', 'd'];
    const layers = fc.tuple(...names.map(() => fc.constantFrom(undefined, 'moon', ...regions)));
    const both = fc.tuple(layers, fc.subarray(names), fc.subarray(names));
    fc.assert(
      fc.property(both, ([values, project, others]) => {
        const all = names.map((name, index) => region(name, values[index]));
        const without = request(all, others);
        if (!without.policy.ok) return;
        const left = project.filter((name) => !found(all, project, others).includes(name));
        admit(request(all, [...left, ...others]));
      }),
    );
  });

  it('are in the error, so that a card can name them', () => {
    const context = {
      ...request(two, ['app', 'lib']),
      blockingFiles: { instructions: [{ label: 'app/AGENTS.md', uri: 'file:///a' }] },
    };
    assert.throws(
      () => admit(context),
      (error) =>
        isServiceError(error) &&
        error.kind === 'policy' &&
        error.details.instructions?.[0]?.label === 'app/AGENTS.md' &&
        !error.message.includes('AGENTS'),
    );
  });
});
