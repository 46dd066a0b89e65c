/** Finds every process of a running Havn: the descendants of its supervisor. */
import { readFile } from 'node:fs/promises'
import { listProcesses } from '../../launcher/processes.ts'

/** A process and its name. */
export type NamedProcess = { readonly pid: number; readonly name: string }

/** The supervisor and its descendants; those of PostgreSQL share one name. */
export async function startedBy(supervisorPid: number): Promise<readonly NamedProcess[]> {
  const all = await Promise.all(
    (await listProcesses()).map(async (process) => ({ ...process, parent: await parentOf(process.pid) })),
  )
  const found = new Set([supervisorPid])
  for (let size = 0; size < found.size; ) {
    size = found.size
    for (const { pid, parent } of all) {
      if (found.has(parent)) {
        found.add(pid)
      }
    }
  }
  return all.filter(({ pid }) => found.has(pid)).map(({ pid, commandLine }) => ({ pid, name: nameOf(commandLine) }))
}

async function parentOf(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  return Number(text.slice(text.lastIndexOf(')') + 2).split(' ')[1] ?? 0)
}

function nameOf(commandLine: string): string {
  const [, program] = /(?:gateway\/main\.ts |sandbox\/)([a-z-]+)/.exec(commandLine) ?? []
  return program ?? (/postgres/.test(commandLine) ? 'postgres' : 'supervisor')
}
