/** Recognises the processes of one embedded PostgreSQL cluster, and ends them in the gentlest way that works. */
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { commandLineOf, type RunningProcess, runningProcesses, signal, waitUntil } from '../processes.ts'

/** A cluster: the name its processes carry in their titles, and its data directory. */
export type Cluster = { readonly name: string; readonly dataDirectory: string }

/** A fast shutdown ends sessions and writes a checkpoint; on a slow disk that takes seconds. */
const FAST_SHUTDOWN_MILLISECONDS = 30_000
/** Without a postmaster backends end by themselves, unless one is computing. */
const STRAYS_END_MILLISECONDS = 2_000
const IMMEDIATE_SHUTDOWN_MILLISECONDS = 5_000

/** Stops whatever still runs of a cluster, orphans of a killed run included, and removes a stale pid file. */
export async function endCluster(cluster: Cluster): Promise<void> {
  await endForeignStart(cluster)
  const postmasters = (await processesOf(cluster)).filter((found) => isPostmaster(found, cluster))
  for (const { pid } of postmasters) {
    signal(pid, 'SIGINT')
  }
  const patience = postmasters.length > 0 ? FAST_SHUTDOWN_MILLISECONDS : STRAYS_END_MILLISECONDS
  const ended =
    (await isGoneWithin(cluster, patience)) || (await endAll(cluster, 'SIGQUIT')) || (await endAll(cluster, 'SIGKILL'))
  if (!ended) {
    throw new Error(`PostgreSQL processes of ${cluster.dataDirectory} do not end; end them by hand and try again`)
  }
  // Nothing of ours lives: the file is stale, also when another program has its process id by now.
  await rm(join(cluster.dataDirectory, 'postmaster.pid'), { force: true })
}

/** Whether a process belongs to the cluster: the postmaster by its arguments, its children by their titles. */
export function belongsTo({ commandLine }: RunningProcess, cluster: Cluster): boolean {
  return commandLine.startsWith(`postgres: ${cluster.name}: `) || isPostmaster({ pid: 0, commandLine }, cluster)
}

function isPostmaster({ commandLine }: RunningProcess, cluster: Cluster): boolean {
  const [program = ''] = commandLine.split(' -', 1)
  return program.endsWith('/postgres') && `${commandLine} `.includes(` cluster_name=${cluster.name} `)
}

async function processesOf(cluster: Cluster): Promise<readonly RunningProcess[]> {
  return (await runningProcesses()).filter((found) => belongsTo(found, cluster))
}

async function isGoneWithin(cluster: Cluster, milliseconds: number): Promise<boolean> {
  return await waitUntil(async () => (await processesOf(cluster)).length === 0, milliseconds)
}

async function endAll(cluster: Cluster, name: 'SIGQUIT' | 'SIGKILL'): Promise<boolean> {
  for (const { pid } of await processesOf(cluster)) {
    signal(pid, name)
  }
  return await isGoneWithin(cluster, IMMEDIATE_SHUTDOWN_MILLISECONDS)
}

/** Stops a server that somebody started by hand on this data directory, e.g. with pg_ctl: it does not carry our name. */
async function endForeignStart(cluster: Cluster): Promise<void> {
  const pid = await readPostmasterPid(cluster.dataDirectory)
  const commandLine = pid === undefined ? undefined : await commandLineOf(pid)
  if (pid === undefined || commandLine === undefined || isPostmaster({ pid, commandLine }, cluster)) {
    return
  }
  const words = commandLine.split(' ')
  if (words[0]?.endsWith('/postgres') === true && words.includes(cluster.dataDirectory)) {
    signal(pid, 'SIGINT')
    await waitUntil(async () => (await commandLineOf(pid)) !== commandLine, FAST_SHUTDOWN_MILLISECONDS)
  }
}

async function readPostmasterPid(dataDirectory: string): Promise<number | undefined> {
  const text = await readFile(join(dataDirectory, 'postmaster.pid'), 'utf8').catch(() => '')
  const pid = Number.parseInt(text, 10)
  return Number.isSafeInteger(pid) && pid > 1 ? pid : undefined
}
