/** Builds the package of the Python client: its source distribution, and its wheel from that. */
import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { ROOT } from '../../source-files.ts'
import { createVenv } from '../ensure-programs.ts'
import { runProgram } from '../run-program.ts'

const SOURCE = join(ROOT, 'sdk-python')
const BUILD_PACKAGES = ['build==1.6.1']

/** `folder` is for the programs that build; `out` gets the two files. */
export async function buildPythonPackage(place: {
  readonly folder: string
  readonly out: string
  /** The date of the files in the package; without it those of the checkout. */
  readonly dateMilliseconds?: number
}): Promise<{ readonly wheel: string; readonly names: readonly string[] }> {
  const { folder, out, dateMilliseconds } = place
  await mkdir(out, { recursive: true })
  const programs = await createVenv(folder, 'build', BUILD_PACKAGES)
  const variables = dateMilliseconds === undefined ? {} : { SOURCE_DATE_EPOCH: String(dateMilliseconds / 1000) }
  await runProgram(join(programs, 'python'), ['-m', 'build', '--outdir', out, SOURCE], { folder, variables })
  const names = (await readdir(out)).filter((name) => name.startsWith('havn-') && !name.endsWith('.tgz')).sort()
  const wheel = names.find((name) => name.endsWith('.whl'))
  if (wheel === undefined || !names.some((name) => name.endsWith('.tar.gz'))) {
    throw new Error(`The build has made ${names.join(' and ')} instead of a wheel and a source distribution`)
  }
  return { wheel: join(out, wheel), names }
}
