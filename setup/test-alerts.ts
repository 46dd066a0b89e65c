/** `npm run test:alerts`: makes the cause of every alert happen, and has promtool evaluate the rules. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { ensureInstalled } from './debian-packages.ts'
import { runSteps } from './run-steps.ts'

const run = promisify(execFile)

await ensureInstalled({
  packages: ['prometheus'],
  isInstalled: () =>
    run('promtool', ['--version']).then(
      () => true,
      () => false,
    ),
  instructions:
    'Alerts are evaluated by promtool, which is not installed. On Debian or Ubuntu: sudo apt-get update && sudo apt-get install -y prometheus.',
  progress: 'Installing promtool (once, some seconds) …',
  stillMissing: 'promtool does not start',
})
await runSteps([
  {
    title: 'Every alert fires',
    command: ['vitest', 'run', '--config', 'vitest.alerts.config.ts', ...process.argv.slice(2)],
  },
])
