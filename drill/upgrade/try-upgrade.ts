/** `npm run test:upgrade`: upgrades from the release before under load, rolls back, and upgrades again. */
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { ensurePrograms } from '../../setup/clients/ensure-programs.ts'
import { ROOT } from '../../setup/source-files.ts'
import { postgresPrograms } from '../../setup/trials/postgres-server.ts'
import { inTrialFolder, runContained } from '../../setup/trials/run-contained.ts'
import { createReleaseBefore, findReleaseBefore } from './release-before.ts'

const HELP = `npm run test:upgrade [-- [--from <revision>] [--keep]]

Rehearses an upgrade without interruption: two gateways behind HAProxy, two workers, sandbox banks and an HTTPS receiver
of webhooks, under load of payments, approvals, cancellations and payrolls. While everything runs it migrates the database
to this checkout, replaces the programs of the release before one by one, goes back to them, and forward again, so that
every combination of both releases serves for a while. At the end no request may have failed, no event may have been
delivered twice, late or not at all, and no order may be missing or twice at a bank.

--from <revision>  the release before: a tag or commit. Without it the newest tag v* before this commit; where there is
                   none, the newest commit whose migrations are some of this checkout's.
--keep             keeps the folder with all logs

Takes five minutes, uses loopback only, and leaves nothing behind. Exits with 1 when something is wrong.`

const { values } = parseArgs({
  options: { from: { type: 'string' }, keep: { type: 'boolean' }, help: { type: 'boolean' } },
})
if (values.help === true) {
  console.log(HELP)
} else {
  await run(values.from, values.keep === true).catch((error: unknown) => {
    console.error(`The upgrade did not run: ${error instanceof Error ? error.message : String(error)}`)
    process.exitCode = 1
  })
}

async function run(from: string | undefined, isKept: boolean): Promise<void> {
  const { revision, why } = await findReleaseBefore(from)
  console.log(`The release before is ${revision}: ${why}`)
  await inTrialFolder(
    'havn-upgrade-',
    async (folder) => {
      await postgresPrograms()
      await ensurePrograms(['haproxy'], ['haproxy'])
      // What the trial makes elsewhere would outlive one that is killed.
      process.env['TMPDIR'] = folder
      await createReleaseBefore(revision, join(folder, 'release-before'))
      const rehearsal = join(ROOT, 'drill', 'run-rehearsal.ts')
      return await runContained(process.execPath, [rehearsal, 'upgrade', folder])
    },
    { isKept },
  )
}
