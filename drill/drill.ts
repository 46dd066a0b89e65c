/** `npm run drill`: loses the primary under load, restores it to a point in time, and checks what Havn does then. */
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type RunningProgram, stopAll } from './havn-installation.ts'
import { rehearse } from './rehearse.ts'

const HELP = `npm run drill [-- --keep]

Rehearses a restore: starts a PostgreSQL with archived WAL, sandbox banks, a gateway, a worker and an HTTPS receiver of
webhooks; takes a base backup under load; kills the primary and deletes its data; restores it to some seconds before;
runs havn after-restore and havn reconcile; and checks that nothing delivered is delivered as new, that no order is
twice at a bank, and that every lost order is an operator task. Takes two minutes, uses loopback only, and leaves
nothing behind, except with --keep its folder with all logs. Exits with 1 when something is wrong.`

const words = process.argv.slice(2)
if (words.includes('--help')) {
  console.log(HELP)
} else if (words.some((word) => word !== '--keep')) {
  console.error(`Unknown: ${words.filter((word) => word !== '--keep').join(' ')}\n\n${HELP}`)
  process.exitCode = 2
} else {
  await run(words.includes('--keep'))
}

async function run(isKept: boolean): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'havn-drill-'))
  // PostgreSQL runs as another user, who needs access.
  await chmod(folder, 0o755)
  const running: RunningProgram[] = []
  let ending: Promise<void> | undefined
  // Once, also when an interruption and the end of the drill coincide.
  const end = () => {
    ending ??= cleanUp(running, isKept ? undefined : folder)
    return ending
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void end().finally(() => process.exit(1)))
  }
  try {
    const findings = await rehearse(folder, running)
    console.log(findings.length === 0 ? '\nThe drill passed' : `\nThe drill FAILED:\n${findings.join('\n')}`)
    process.exitCode = findings.length === 0 ? 0 : 1
  } catch (error) {
    console.error(`\nThe drill FAILED: ${error instanceof Error ? error.message : String(error)}`)
    process.exitCode = 1
  } finally {
    await end()
    console.log(isKept ? `Its folder is ${folder}` : 'Nothing is left behind')
  }
}

/** Stops the programs, then deletes the folder if there is one to delete. */
async function cleanUp(running: readonly RunningProgram[], folder: string | undefined): Promise<void> {
  await stopAll(running)
  if (folder !== undefined) {
    await rm(folder, { recursive: true, force: true })
  }
}
