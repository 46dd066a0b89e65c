/** Validates the compose file by the schema of the Compose Specification, and creates its secrets. */
import { cp, mkdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { runProgram } from '../../setup/clients/run-program.ts'
import { ROOT } from '../../setup/source-files.ts'

/** `python` is the folder of a virtual environment with check-jsonschema. */
export async function checkCompose(folder: string, python: string): Promise<string> {
  await cp(join(ROOT, 'deploy', 'compose'), folder, { recursive: true })
  const schema = ['--builtin-schema', 'vendor.compose-spec']
  const check = async (file: string) =>
    await runProgram(join(python, 'bin', 'check-jsonschema'), [...schema, file], { folder })
  await check('compose.yaml')
  await rejectsDamaged(folder, check)
  await runProgram('./create-secrets.sh', [], { folder, variables: { HAVN: join(ROOT, 'cli', 'havn') } })
  const url = new URL(await readFile(join(folder, 'secrets', 'database-url'), 'utf8'))
  const password = await readFile(join(folder, 'secrets', 'database-password'), 'utf8')
  if (decodeURIComponent(url.password) !== password) {
    throw new Error('create-secrets.sh made a URL with another password than that of the database')
  }
  const proxy = ['validate', '--adapter', 'caddyfile', '--config', 'Caddyfile']
  await runProgram('caddy', proxy, { folder, variables: { HAVN_SITE: 'havn.example' } })
  return 'compose.yaml and Caddyfile are valid, a damaged compose.yaml is not; create-secrets.sh makes the four secrets'
}

/** A validator that accepts everything would show nothing. */
async function rejectsDamaged(folder: string, check: (file: string) => Promise<string>): Promise<void> {
  const damaged = join(folder, 'damaged')
  await mkdir(damaged, { recursive: true })
  await runProgram('sh', ['-c', "sed 's/^    restart:/    restarts:/' compose.yaml > damaged/compose.yaml"], { folder })
  const isRejected = await check('damaged/compose.yaml').then(
    () => false,
    () => true,
  )
  await rm(damaged, { recursive: true })
  if (!isRejected) {
    throw new Error('The schema accepts a service with an unknown member')
  }
}
