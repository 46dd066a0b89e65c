/** `npm run test:deploy`: tries the files of `deploy/` for real as far as this machine permits, and validates the rest. */
import { join } from 'node:path'
import { ensurePrograms } from '../setup/clients/ensure-programs.ts'
import { ROOT } from '../setup/source-files.ts'
import { inTrialFolder, runContained } from '../setup/trials/run-contained.ts'

if (process.getuid?.() !== 0) {
  throw new Error('Namespaces, other users and Debian packages need root: sudo npm run test:deploy')
}
await inTrialFolder('havn-try-deploy-', async (folder) => {
  await ensurePrograms(
    ['pg_ctlcluster', 'pgbouncer', 'haproxy', 'caddy', 'systemd-analyze', 'ip', 'curl', 'strace'],
    ['postgresql', 'pgbouncer', 'haproxy', 'caddy', 'systemd', 'iproute2', 'curl', 'strace'],
  )
  const trial = join(ROOT, 'deploy', 'trial', 'run-deploy-trial.ts')
  return await runContained(process.execPath, [trial, folder, ...process.argv.slice(2)])
})
