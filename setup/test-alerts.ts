/** `npm run test:alerts`: makes the cause of every alert happen, and has promtool evaluate the rules. */
import { ensurePrograms } from './clients/ensure-programs.ts'
import { runSteps } from './run-steps.ts'

await ensurePrograms(['promtool'], ['prometheus'])
await runSteps([
  {
    title: 'Every alert fires',
    command: ['vitest', 'run', '--config', 'vitest.alerts.config.ts', ...process.argv.slice(2)],
  },
])
