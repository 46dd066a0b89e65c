/** `npm run drill`: loses the primary under load, restores it to a point in time, and checks what Havn does then. */
import { join } from 'node:path'
import { ROOT } from '../setup/source-files.ts'
import { inTrialFolder, runContained } from '../setup/trials/run-contained.ts'

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
  const rehearsal = join(ROOT, 'drill', 'run-rehearsal.ts')
  await inTrialFolder(
    'havn-drill-',
    async (folder) => await runContained(process.execPath, [rehearsal, 'drill', folder]),
    { isKept },
  )
  if (!isKept) {
    console.log('Nothing is left behind')
  }
}
