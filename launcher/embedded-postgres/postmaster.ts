/** Identifies the processes of one embedded PostgreSQL cluster, and stops them as gracefully as possible. */
import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { commandLineOf, listProcesses, type RunningProcess, sendSignal, startedAt, waitUntil } from '../processes.ts'

/** A cluster: the name its processes carry in their titles, and its data directory. */
export type Cluster = { readonly name: string; readonly dataDirectory: string }

/** A fast shutdown ends sessions and writes a checkpoint; on a slow disk that takes seconds. */
const FAST_SHUTDOWN_MILLISECONDS = 30_000
/** Without a postmaster backends end by themselves, unless one is computing. */
const ORPHANS_EXIT_MILLISECONDS = 2_000
const IMMEDIATE_SHUTDOWN_MILLISECONDS = 5_000

/** Stops all running processes of a cluster, orphans of a killed run included, and removes its stale pid and socket files. */
export async function stopCluster(cluster: Cluster): Promise<void> {
  await stopForeignPostmaster(cluster)
  const monitor = monitorProcesses(cluster)
  const postmasters = (await monitor.look()).filter((found) => isPostmaster(found, cluster))
  for (const { pid } of postmasters) {
    sendSignal(pid, 'SIGINT')
  }
  const patience = postmasters.length > 0 ? FAST_SHUTDOWN_MILLISECONDS : ORPHANS_EXIT_MILLISECONDS
  const ended =
    (await waitUntil(monitor.areGone, patience)) ||
    (await signalAll(monitor, 'SIGQUIT')) ||
    (await signalAll(monitor, 'SIGKILL'))
  if (!ended) {
    throw new Error(`PostgreSQL processes of ${cluster.dataDirectory} do not end; end them by hand and try again`)
  }
  // No process of the cluster is alive: the files are stale, even if another program has their process id by now.
  const files = await readdir(cluster.dataDirectory).catch(() => [])
  for (const file of files.filter((name) => name === 'postmaster.pid' || name.startsWith('.s.PGSQL.'))) {
    await rm(join(cluster.dataDirectory, file), { force: true })
  }
}

/** Whether a process belongs to the cluster: the postmaster by its arguments, its children by their titles. */
export function belongsTo({ commandLine }: RunningProcess, cluster: Cluster): boolean {
  return commandLine.startsWith(`postgres: ${cluster.name}: `) || isPostmaster({ pid: 0, commandLine }, cluster)
}

function isPostmaster({ commandLine }: RunningProcess, cluster: Cluster): boolean {
  const [program = ''] = commandLine.split(' -', 1)
  return program.endsWith('/postgres') && `${commandLine} `.includes(` cluster_name=${cluster.name} `)
}

/** Monitors the processes of one cluster. */
type ProcessMonitor = {
  look(): Promise<readonly RunningProcess[]>
  areGone(): Promise<boolean>
}

/**
 * An ending process loses its command line before its ports: every process seen once is monitored until it has ended.
 */
function monitorProcesses(cluster: Cluster): ProcessMonitor {
  const seen = new Map<number, string | undefined>()
  const look = async () => {
    const found = (await listProcesses()).filter((candidate) => belongsTo(candidate, cluster))
    for (const { pid } of found) {
      seen.set(pid, seen.get(pid) ?? (await startedAt(pid)))
    }
    return found
  }
  const isAlive = async ([pid, mark]: readonly [number, string | undefined]) =>
    mark !== undefined && (await startedAt(pid)) === mark
  return {
    look,
    areGone: async () => (await look()).length === 0 && !(await Promise.all([...seen].map(isAlive))).includes(true),
  }
}

async function signalAll(monitor: ProcessMonitor, name: 'SIGQUIT' | 'SIGKILL'): Promise<boolean> {
  for (const { pid } of await monitor.look()) {
    sendSignal(pid, name)
  }
  return await waitUntil(monitor.areGone, IMMEDIATE_SHUTDOWN_MILLISECONDS)
}

/** Stops a server that was started manually on this data directory, e.g. with pg_ctl: it does not have our title. */
async function stopForeignPostmaster(cluster: Cluster): Promise<void> {
  const pid = await readPostmasterPid(cluster.dataDirectory)
  const commandLine = pid === undefined ? undefined : await commandLineOf(pid)
  if (pid === undefined || commandLine === undefined || isPostmaster({ pid, commandLine }, cluster)) {
    return
  }
  const words = commandLine.split(' ')
  if (words[0]?.endsWith('/postgres') === true && words.includes(cluster.dataDirectory)) {
    sendSignal(pid, 'SIGINT')
    await waitUntil(async () => (await commandLineOf(pid)) !== commandLine, FAST_SHUTDOWN_MILLISECONDS)
  }
}

async function readPostmasterPid(dataDirectory: string): Promise<number | undefined> {
  const text = await readFile(join(dataDirectory, 'postmaster.pid'), 'utf8').catch(() => '')
  const pid = Number.parseInt(text, 10)
  return Number.isSafeInteger(pid) && pid > 1 ? pid : undefined
}
