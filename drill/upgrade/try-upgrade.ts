/** `npm run test:upgrade`: upgrades from the release before under load, rolls back, and upgrades again. */
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { isOnPath } from '../../setup/clients/run-program.ts'
import { ensureInstalled } from '../../setup/debian-packages.ts'
import { ROOT } from '../../setup/source-files.ts'
import { runContained } from '../../setup/trials/run-contained.ts'
import { extendPath } from '../../setup/trials/trial-step.ts'
import { postgresPrograms } from '../postgres-server.ts'
import { createReleaseBefore, findReleaseBefore } from './release-before.ts'

const HELP = `npm run test:upgrade [-- [--from <revision>] [--keep]]

Rehearses an upgrade without interruption: two gateways behind HAProxy, two workers, sandbox banks and an HTTPS receiver
of webhooks, under load of payments, approvals, cancellations and payrolls. While everything runs it migrates the database
to this checkout, replaces the programs of the release before one by one, goes back to them, and forward again, so that
every combination of both releases serves for a while. At the end no request may have failed, no event may have been
delivered twice, late or not at all, and no order may be missing or twice at a bank.

--from <revision>  the release before: a tag or commit. Without it the newest tag v* before this commit; where there is
                   none, the commit before the one that added the newest migration.
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
  extendPath()
  await postgresPrograms()
  await ensureHaproxy()
  const folder = await mkdtemp(join(tmpdir(), 'havn-upgrade-'))
  // PostgreSQL runs as another user, who needs access.
  await chmod(folder, 0o755)
  // What the trial makes elsewhere would outlive one that is killed.
  process.env['TMPDIR'] = folder
  try {
    await createReleaseBefore(revision, join(folder, 'release-before'))
    const trial = join(ROOT, 'drill', 'upgrade', 'run-upgrade-trial.ts')
    process.exitCode = await runContained(process.execPath, [trial, folder])
  } finally {
    if (isKept) {
      console.log(`Its folder is ${folder}`)
    } else {
      await rm(folder, { recursive: true, force: true })
    }
  }
}

async function ensureHaproxy(): Promise<void> {
  await ensureInstalled({
    packages: ['haproxy'],
    isInstalled: () => isOnPath('haproxy'),
    instructions: 'The balancer of the trial is HAProxy: install the package haproxy',
    progress: 'Installing HAProxy …',
    stillMissing: 'haproxy is not on the path',
  })
}
