import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';

describe('writing settings', () => {
  it('happens in one module, which checks trust first', () => {
    const writers = globSync('src/**/*.{ts,tsx}').filter((file) =>
      /\.update\([^;]*ConfigurationTarget|getConfiguration\([^;]*\.update\(/.test(readFileSync(file, 'utf8')),
    );
    assert.deepEqual(writers, ['src/platform/settings/writeSetting.ts']);
    assert.match(
      readFileSync('src/platform/settings/writeSetting.ts', 'utf8'),
      /requireTrust\('settings'\);\n.*\.update\(/,
    );
  });

  it('the client is available only to a trusted workspace', () => {
    const makers = globSync('src/**/*.ts').filter((file) =>
      readFileSync(file, 'utf8').includes('createServiceClient('),
    );
    assert.deepEqual(makers.toSorted(), ['src/client/serviceClient.ts', 'src/createServices.ts']);
    assert.match(
      readFileSync('src/createServices.ts', 'utf8'),
      /const trusted = async \(\) => \{\n\s+requireTrust\(\);/,
    );
  });
});
