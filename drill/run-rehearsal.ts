/** Runs the rehearsal of a restore or of an upgrade below a folder: the program that `npm run drill` and `test:upgrade` contain. */
import { join } from 'node:path'
import { ROOT } from '../setup/source-files.ts'
import type { RunningProgram } from './havn-installation.ts'
import { rehearse } from './rehearse.ts'
import { rehearseUpgrade } from './upgrade/rehearse-upgrade.ts'

const REHEARSALS: Readonly<Record<string, typeof rehearse>> = {
  drill: rehearse,
  upgrade: (folder, running) =>
    rehearseUpgrade(folder, running, {
      before: { name: 'before', root: join(folder, 'release-before') },
      after: { name: 'after', root: ROOT },
    }),
}

const [name = '', folder = ''] = process.argv.slice(2)
const running: RunningProgram[] = []
let ending: Promise<void> | undefined
// Once, also when an interruption and the end of the rehearsal coincide.
const end = () => {
  ending ??= stopAll()
  return ending
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void end().finally(() => process.exit(1)))
}
try {
  const findings = (await REHEARSALS[name]?.(folder, running)) ?? [`There is no rehearsal of the name ${name}`]
  console.log(findings.length === 0 ? `\nThe ${name} passed` : `\nThe ${name} FAILED:\n${findings.join('\n')}`)
  process.exitCode = findings.length === 0 ? 0 : 1
} catch (error) {
  console.error(`\nThe ${name} FAILED: ${error instanceof Error ? error.message : String(error)}`)
  process.exitCode = 1
} finally {
  await end()
}

/** In the reverse order of their start; one that does not stop is reported. */
async function stopAll(): Promise<void> {
  for (const program of running.toReversed()) {
    await program.stop().catch((error: unknown) => console.error(String(error)))
  }
}
