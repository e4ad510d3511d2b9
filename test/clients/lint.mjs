// Prints what two linters with their usual rules find in the document FILE, as JSON lines of
// [linter, severity, rule, message].
import { readFileSync } from 'node:fs';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import spectralCore from '@stoplight/spectral-core';
import spectralRulesets from '@stoplight/spectral-rulesets';

const source = readFileSync(process.argv[2], 'utf8');

const config = await createConfig({ extends: ['recommended'] });
for (const { severity, ruleId, message } of await lintFromString({ source, config })) {
  print('redocly', severity, ruleId, message);
}

const spectral = new spectralCore.Spectral();
spectral.setRuleset({ extends: [spectralRulesets.oas], rules: {} });
for (const { severity, code, message } of await spectral.run(source)) {
  print('spectral', severity === 0 ? 'error' : 'warn', code, message);
}

function print(...problem) {
  process.stdout.write(`${JSON.stringify(problem)}\n`);
}
