/** Runs another program and returns what it printed, or throws with the end of that. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)
const OUTPUT_MAX_BYTES = 64 * 1024 * 1024
/** Downloads included; a program that hangs must not hang the run. */
const PROGRAM_MILLISECONDS_MAX = 900_000
const SHOWN_LINES = 30

/** Where and with which additional environment variables. */
type Place = { readonly folder: string; readonly variables?: Readonly<Record<string, string>> }

/** Standard output and standard error together; the error message ends with their last lines. */
export async function runProgram(program: string, options: readonly string[], place: Place): Promise<string> {
  const settings = {
    cwd: place.folder,
    env: { ...process.env, ...place.variables },
    maxBuffer: OUTPUT_MAX_BYTES,
    timeout: PROGRAM_MILLISECONDS_MAX,
  }
  try {
    const { stdout, stderr } = await run(program, options, settings)
    return `${stdout}${stderr}`
  } catch (error) {
    const { stdout = '', stderr = '', message } = Object(error)
    const lines = `${stdout}${stderr}`.trim().split('\n').slice(-SHOWN_LINES)
    const [reason] = String(message).split('\n')
    throw new Error([`${reason} (in ${place.folder})`, ...lines].join('\n'), { cause: error })
  }
}

export async function isOnPath(program: string): Promise<boolean> {
  return await run('sh', ['-c', `command -v ${program}`]).then(
    () => true,
    () => false,
  )
}
