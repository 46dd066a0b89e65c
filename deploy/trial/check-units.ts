/** Checks the units with systemd's own tools, which need no systemd that runs. */
import { cp, mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { runProgram } from '../../setup/clients/run-program.ts'
import { ROOT } from '../../setup/source-files.ts'

/** As systemd scores it, in tenths: 0 is confined completely, 10 not at all. */
const EXPOSURE_TENTHS_MAX = 20
/** The program is where the page unpacks it, which is not on this machine. */
const NOT_INSTALLED = /Command \/opt\/havn\/havn is not executable/

export async function checkUnits(folder: string): Promise<string> {
  const source = join(ROOT, 'deploy', 'systemd')
  const names = (await readdir(source)).filter((name) => name.endsWith('.service'))
  await mkdir(folder, { recursive: true })
  const files = await Promise.all(
    names.map(async (name) => {
      const file = join(folder, name.replace('@.', '@1.'))
      await cp(join(source, name), file)
      return file
    }),
  )
  const printed = await runProgram('systemd-analyze', ['verify', '--man=no', ...files], { folder }).catch(String)
  const complaints = printed.split('\n').filter((line) => /\.service[:@]/.test(line) && !NOT_INSTALLED.test(line))
  if (complaints.length > 0) {
    throw new Error(`systemd-analyze verify complains:\n${complaints.join('\n')}`)
  }
  const scores = await Promise.all(
    files.map(async (file) => {
      const threshold = ['--offline=yes', `--threshold=${EXPOSURE_TENTHS_MAX}`]
      const report = await runProgram('systemd-analyze', ['security', ...threshold, file], { folder })
      return /exposure level for \S+: (\S+)/.exec(report)?.[1] ?? 'unknown'
    }),
  )
  return `${names.length} units, exposure ${scores.join(', ')} (at most ${EXPOSURE_TENTHS_MAX / 10})`
}
