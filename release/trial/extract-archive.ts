/** Unpacks a released archive as an operator does, and says how its programs are started. */
import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { runProgram } from '../../setup/clients/run-program.ts'
import type { InstalledServer } from './run-as-operator.ts'

/** A user that owns nothing, where this process may change to it. */
const NOBODY = 65_534

export async function extractArchive(file: string, folder: string): Promise<InstalledServer> {
  await mkdir(folder, { recursive: true })
  await runProgram('tar', ['--extract', '--gzip', '--file', file, '--directory', folder], { folder })
  const [name = ''] = await readdir(folder)
  const program = join(folder, name, 'havn')
  const isRoot = process.getuid?.() === 0
  const asNobody = isRoot ? ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups'] : []
  return {
    title: 'The archive',
    user: isRoot ? NOBODY : undefined,
    data: (dataFolder) => dataFolder,
    command: (settings) => {
      const variables = Object.entries({ PATH: '/usr/bin:/bin', ...settings }).map(([key, value]) => `${key}=${value}`)
      return [...asNobody, 'env', '-i', ...variables, program]
    },
  }
}
