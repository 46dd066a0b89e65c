/** Runs the shell commands of a documentation page block by block in one shell. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const END_OF_BLOCK = '--- the block has ended ---'

/** A shell in a new folder. */
export type DocumentationShell = {
  /** Runs a block and returns its output. Throws when it writes errors. */
  run(block: string): Promise<string>
  close(): Promise<void>
}

export function shellBlocks(page: string): readonly string[] {
  return [...page.matchAll(/^```sh\n(.+?)^```/gms)].map(([, block = '']) => block)
}

export async function openDocumentationShell(): Promise<DocumentationShell> {
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
    throw new Error(
      `The shell reported errors: ${complained}\nafter the commands:\n${block}\nwhich printed:\n${printed}`,
    )
  }
  return printed.replace(END_OF_BLOCK, '').trim()
}
