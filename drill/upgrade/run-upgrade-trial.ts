/** Runs the trial of an upgrade below a folder that has the release before: the program that `try-upgrade.ts` contains. */
import { join } from 'node:path'
import { ROOT } from '../../setup/source-files.ts'
import { type RunningProgram, stopAll } from '../havn-installation.ts'
import { rehearseUpgrade } from './rehearse-upgrade.ts'

const [folder = ''] = process.argv.slice(2)
const running: RunningProgram[] = []
let ending: Promise<void> | undefined
// Once, also when an interruption and the end of the trial coincide.
const end = () => {
  ending ??= stopAll(running)
  return ending
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void end().finally(() => process.exit(1)))
}
try {
  const findings = await rehearseUpgrade(folder, running, {
    before: { name: 'before', root: join(folder, 'release-before') },
    after: { name: 'after', root: ROOT },
  })
  console.log(findings.length === 0 ? '\nThe upgrade passed' : `\nThe upgrade FAILED:\n${findings.join('\n')}`)
  process.exitCode = findings.length === 0 ? 0 : 1
} catch (error) {
  console.error(`\nThe upgrade FAILED: ${error instanceof Error ? error.message : String(error)}`)
  process.exitCode = 1
} finally {
  await end()
}
