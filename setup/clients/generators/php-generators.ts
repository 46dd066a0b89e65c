/** Lists the generators of PHP, from Maven Central. */
import { ensureProgram } from '../ensure-program.ts'
import type { ClientGenerator } from './generator-step.ts'
import { runOpenApiGenerator } from './openapi-generator.ts'

/** PHP with the extensions that the generated client needs, and its HTTP client. */
const PACKAGES = ['php-cli', 'php-curl', 'php-mbstring', 'php-guzzlehttp-guzzle'] as const

export const openApiGeneratorPhp: ClientGenerator = {
  name: 'openapi-generator-php',
  language: 'PHP',
  project: 'php-openapi-generator',
  generated: 'havn/lib/Api',
  generate: async (project) => {
    await ensureProgram('php', [...PACKAGES])
    await runOpenApiGenerator(project)
  },
  callOf: (operationId) => new RegExp(`^    public function ${operationId}\\(`, 'm'),
  compile: async ({ run }) => {
    // PHP 8.2 checks only the first file that it is given.
    await run('sh', ['-c', 'find havn/lib -name "*.php" -print0 | xargs -0 -n 1 -P 2 php -l >/dev/null'])
    return 'php -l'
  },
  pay: ({ run }) => run('php', ['PayInvoice.php']),
}
