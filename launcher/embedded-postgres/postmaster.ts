/** Recognises the processes of one embedded PostgreSQL cluster, and ends them in the gentlest way that works. */
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { commandLineOf, type RunningProcess, runningProcesses, signal, startedAt, waitUntil } from '../processes.ts'

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
  const lookout = lookoutFor(cluster)
  const postmasters = (await lookout.look()).filter((found) => isPostmaster(found, cluster))
  for (const { pid } of postmasters) {
    signal(pid, 'SIGINT')
  }
  const patience = postmasters.length > 0 ? FAST_SHUTDOWN_MILLISECONDS : STRAYS_END_MILLISECONDS
  const ended =
    (await waitUntil(lookout.areGone, patience)) ||
    (await endAll(lookout, 'SIGQUIT')) ||
    (await endAll(lookout, 'SIGKILL'))
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

/** Watches the processes of one cluster. */
type Lookout = {
  look(): Promise<readonly RunningProcess[]>
  areGone(): Promise<boolean>
}

/** A process that ends loses its command line before its ports: whoever was seen once is watched until it has ended. */
function lookoutFor(cluster: Cluster): Lookout {
  const seen = new Map<number, string | undefined>()
  const look = async () => {
    const found = (await runningProcesses()).filter((candidate) => belongsTo(candidate, cluster))
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

async function endAll(lookout: Lookout, name: 'SIGQUIT' | 'SIGKILL'): Promise<boolean> {
  for (const { pid } of await lookout.look()) {
    signal(pid, name)
  }
  return await waitUntil(lookout.areGone, IMMEDIATE_SHUTDOWN_MILLISECONDS)
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
