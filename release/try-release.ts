/** `npm run test:release`: builds the server twice, and runs what was built as a new operator would. */
import { join } from 'node:path'
import { ensurePrograms } from '../setup/clients/ensure-programs.ts'
import { ROOT } from '../setup/source-files.ts'
import { inTrialFolder, runContained } from '../setup/trials/run-contained.ts'

await inTrialFolder('havn-try-release-', async (folder) => {
  // A step that needs one that is missing is not run, and says so.
  await ensurePrograms(
    ['bwrap', 'qemu-aarch64-static', 'podman', 'crun', 'debootstrap'],
    ['bubblewrap', 'qemu-user-static', 'podman', 'crun', 'debootstrap'],
  ).catch((error: unknown) => console.log(error instanceof Error ? error.message : String(error)))
  const trial = join(ROOT, 'release', 'trial', 'run-release-trial.ts')
  return await runContained(process.execPath, [trial, folder, ...process.argv.slice(2)])
})
