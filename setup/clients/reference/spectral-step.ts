/** Lints `docs/openapi.json` with Spectral, which `npm test` leaves to Redocly: it brings a hundred and fifty packages. */
import { join } from 'node:path'
import { ROOT } from '../../source-files.ts'
import type { ClientStep } from '../client-step.ts'
import { INSTALL } from '../generators/generators.ts'

const SPECTRAL = '@stoplight/spectral-cli@6.16.3'

export const spectralStep: ClientStep = {
  name: 'spectral',
  title: 'the OpenAPI document: linted by Spectral with its rules and our exceptions',
  run: async ({ folder, run }) => {
    await run('npm', [...INSTALL, SPECTRAL])
    const lint = ['lint', 'docs/openapi.json', '--fail-severity=hint']
    await run(join(folder, 'node_modules', '.bin', 'spectral'), lint, { folder: ROOT })
    return { language: 'OpenAPI', compiled: 'Spectral' }
  },
}
