/** Compares the system calls of a gateway and a worker with those that the units permit. */
import { mkdir, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isServed, startProgram, untilReady } from '../../gateway/testing/gateway/background-program.ts'
import { chooseFreePort, LOOPBACK } from '../../launcher/free-ports.ts'
import { runProgram } from '../../setup/clients/run-program.ts'
import { ROOT } from '../../setup/source-files.ts'
import { startDebianPostgres } from './debian-postgres.ts'

const HAVN = join(ROOT, 'cli', 'havn')
/** A line of strace: process, name, and arguments or the end of an interrupted line. */
const SYSTEM_CALL = /^\d+ +(?:<\.\.\. )?([a-z0-9_]+)(?:\(| resumed)/gm
const FILTER = /^SystemCallFilter=(~?)(\S+)$/gm
/** What a gateway does for a partner and a browser. */
const PATHS = ['/docs', '/console', '/openapi.json', '/api/v2/payments']

export async function checkSystemCalls(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true })
  const postgres = await startDebianPostgres(join(folder, 'postgres'))
  try {
    const settings = {
      DATABASE_URL: postgres.url.href,
      HAVN_MASTER_KEY_FILE: join(folder, 'master.key'),
      HAVN_BASE_URL: 'https://havn.example',
      HAVN_TPP_IP_ADDRESS: '185.20.30.40',
      HAVN_LOG_LEVEL: 'silent',
    }
    for (const words of [['keys', 'create'], ['migrate']]) {
      await runProgram(HAVN, words, { folder, variables: settings })
    }
    const used = new Set<string>()
    for (const role of ['gateway', 'worker']) {
      for (const name of await systemCallsOf(role, folder, settings)) {
        used.add(name)
      }
    }
    const permitted = await permittedByUnit(folder)
    const rejected = [...used].filter((name) => !permitted.has(name))
    if (rejected.length > 0) {
      throw new Error(`The units reject system calls that are used: ${rejected.join(', ')}`)
    }
    return `${used.size} system calls of a gateway and a worker, all permitted by SystemCallFilter`
  } finally {
    await postgres.stop()
  }
}

/** From the start to the end after SIGTERM. */
async function systemCallsOf(
  role: string,
  folder: string,
  settings: Readonly<Record<string, string>>,
): Promise<readonly string[]> {
  const [port, operatorPort] = [await chooseFreePort(), await chooseFreePort()]
  const ports = { HAVN_PORT: `${port}`, HAVN_OPERATOR_PORT: `${operatorPort}`, HAVN_WORKER_PORT: `${operatorPort}` }
  const output = join(folder, role)
  // The traced program is the process itself, so that it gets the signal.
  const command = ['strace', '-D', '-f', '-qq', '-o', output, HAVN, role] as const
  const started = startProgram(command, { environment: { PATH: process.env['PATH'], ...settings, ...ports } })
  await untilReady(started, () => isServed(`http://${LOOPBACK}:${operatorPort}/readyz`))
  await Promise.all(PATHS.map((path) => fetch(`http://${LOOPBACK}:${port}${path}`).catch(() => undefined)))
  await started.stop()
  return [...(await readFile(output, 'utf8')).matchAll(SYSTEM_CALL)].map(([, name = '']) => name)
}

/** Each line of the filter permits a set, or removes one. */
async function permittedByUnit(folder: string): Promise<ReadonlySet<string>> {
  const units = join(ROOT, 'deploy', 'systemd')
  const names = (await readdir(units)).filter((name) => name.endsWith('.service'))
  const texts = await Promise.all(names.map((name) => readFile(join(units, name), 'utf8')))
  const [filters = '', ...others] = texts.map((text) => [...text.matchAll(FILTER)].map(([line]) => line).join('\n'))
  if (others.some((other) => other !== filters)) {
    throw new Error('The units have different filters of system calls')
  }
  const permitted = new Set<string>()
  for (const [, sign, set = ''] of filters.matchAll(FILTER)) {
    for (const name of await systemCallsIn(set, folder)) {
      if (sign === '') {
        permitted.add(name)
      } else {
        permitted.delete(name)
      }
    }
  }
  return permitted
}

/** Sets contain others. */
async function systemCallsIn(set: string, folder: string): Promise<readonly string[]> {
  const printed = await runProgram('systemd-analyze', ['syscall-filter', set], { folder })
  const names = printed
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && line !== set && !line.startsWith('#'))
  const nested = names.map(async (name) => (name.startsWith('@') ? await systemCallsIn(name, folder) : [name]))
  return (await Promise.all(nested)).flat()
}
