/** Runs the commands of a page as a newcomer does: block after block, pasted into one shell. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const END_OF_BLOCK = '--- the block has ended ---'

/** A shell in a folder of its own. */
export type PastedShell = {
  /** Pastes a block, and answers what it printed; whatever it complains of is an error. */
  run(block: string): Promise<string>
  close(): Promise<void>
}

/** The blocks of shell commands in a page. */
export function shellBlocks(page: string): readonly string[] {
  return [...page.matchAll(/^```sh\n(.+?)^```/gms)].map(([, block = '']) => block)
}

/** Opens a shell. */
export async function openShell(): Promise<PastedShell> {
  const folder = await mkdtemp(join(tmpdir(), 'havn-shell-'))
  const shell = spawn('bash', { cwd: folder })
  return {
    run: (block) => run(shell, block),
    close: async () => {
      const ended = new Promise((resolve) => shell.once('exit', resolve))
      shell.stdin.end()
      await ended
      await rm(folder, { recursive: true })
    },
  }
}

async function run(shell: ChildProcessWithoutNullStreams, block: string): Promise<string> {
  let printed = ''
  let complained = ''
  const onComplaint = (chunk: Buffer) => {
    complained += chunk.toString()
  }
  shell.stderr.on('data', onComplaint)
  const ended = new Promise<void>((resolve) => {
    const onPrint = (chunk: Buffer) => {
      printed += chunk.toString()
      if (printed.includes(END_OF_BLOCK)) {
        shell.stdout.off('data', onPrint)
        resolve()
      }
    }
    shell.stdout.on('data', onPrint)
  })
  shell.stdin.write(`${block}\necho '${END_OF_BLOCK}'\n`)
  await ended
  shell.stderr.off('data', onComplaint)
  if (complained !== '') {
    throw new Error(`The shell complains: ${complained}`)
  }
  return printed.replace(END_OF_BLOCK, '').trim()
}
