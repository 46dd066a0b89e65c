/** Runs all tests, those that try random cases at length. */
import { ensureChromium } from './ensure-chromium.ts'
import { ensureOpenSsh } from './ensure-openssh.ts'
import { LONG_FORMS } from './long-test-settings.ts'
import { runSteps } from './run-steps.ts'

await ensureChromium()
await ensureOpenSsh()
await runSteps(
  [{ title: 'Tests at length', command: ['vitest', 'run', ...process.argv.slice(2)] }],
  Object.fromEntries(LONG_FORMS.map(({ setting, cases }) => [setting, String(cases)])),
)
