/** Lists the generators of TypeScript, from npm. */
import type { ClientGenerator, ClientProject } from './generator-step.ts'

const INSTALL = ['install', '--no-audit', '--no-fund', '--no-package-lock', '--ignore-scripts', '--loglevel=error']

/** Types with openapi-typescript, calls with openapi-fetch. */
export const openApiFetch: ClientGenerator = {
  name: 'openapi-fetch',
  language: 'TypeScript',
  project: 'typescript-openapi-fetch',
  generated: 'havn.d.ts',
  generate: generateWithNpm,
  callOf: (operationId) => new RegExp(`^    ${operationId}: \\{$`, 'm'),
  compile: compileWithNpm,
  pay: ({ run }) => run('npm', ['start', '--silent']),
}

export const heyApi: ClientGenerator = {
  ...openApiFetch,
  name: 'hey-api',
  project: 'typescript-hey-api',
  generated: 'havn',
  callOf: (operationId) => new RegExp(`^export const ${operationId} = `, 'm'),
}

async function generateWithNpm({ run }: ClientProject): Promise<void> {
  await run('npm', INSTALL)
  await run('npm', ['run', 'generate'])
}

async function compileWithNpm({ run }: ClientProject): Promise<string> {
  await run('npm', ['run', 'build'])
  return 'tsc'
}
