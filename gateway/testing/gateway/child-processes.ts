/** Lists the child processes of a process, for tests that kill them or check that none is left. */
import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { listProcesses, type RunningProcess } from '../../../launcher/processes.ts'

const run = promisify(execFile)

/** The live children of a process. */
export async function childProcesses(pid: number): Promise<readonly RunningProcess[]> {
  const parents = await parentsByProcess()
  return (await listProcesses()).filter((candidate) => parents.get(candidate.pid) === pid)
}

/** The process and its live descendants. */
export async function processTree(pid: number): Promise<readonly RunningProcess[]> {
  const parents = await parentsByProcess()
  const isInTree = (candidate: number | undefined): boolean =>
    candidate === pid || (candidate !== undefined && isInTree(parents.get(candidate)))
  return (await listProcesses()).filter((candidate) => isInTree(candidate.pid))
}

async function parentsByProcess(): Promise<ReadonlyMap<number, number>> {
  return process.platform === 'linux' ? await parentsFromProc() : await parentsFromPs()
}

async function parentsFromProc(): Promise<ReadonlyMap<number, number>> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const pairs = pids.map(async (pid): Promise<[number, number]> => {
    const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
    // The state and the parent's id follow the program name in brackets.
    return [Number(pid), Number(text.slice(text.lastIndexOf(')') + 2).split(' ')[1] ?? 0)]
  })
  return new Map(await Promise.all(pairs))
}

async function parentsFromPs(): Promise<ReadonlyMap<number, number>> {
  const { stdout } = await run('ps', ['-axo', 'pid=,ppid='])
  const pairs = stdout.split('\n').map((line): [number, number] => {
    const [pid = 0, parent = 0] = line.trim().split(/\s+/).map(Number)
    return [pid, parent]
  })
  return new Map(pairs)
}
