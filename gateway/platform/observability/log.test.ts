/** Tests the log: one JSON object a line, with secrets removed and errors complete. */
import { spawnSync } from 'node:child_process'
import { existsSync, openSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type LogSettings, openLog, withoutRedaction } from './log.ts'

const SECRET_NAMES = ['authorization', 'cookie', 'client_secret', 'clientSecret', 'access_token', 'accessToken']
const secretName = fc.constantFrom(...SECRET_NAMES, 'userId', 'token')
const outerName = fc.constantFrom('request', 'headers', 'body', 'caller', 'detail')

function logged(write: (log: ReturnType<typeof openLog>) => void, level: LogSettings['level'] = 'debug'): string[] {
  const lines: string[] = []
  write(openLog({ program: 'test', level, destination: { write: (line) => void lines.push(line) } }))
  return lines
}

describe('openLog', () => {
  it('writes one line of JSON with program, time and level', () => {
    const [line = '', ...others] = logged((log) => log.info({ route: '/x' }, 'two\nlines'))
    expect(others).toEqual([])
    expect(line.trimEnd()).not.toContain('\n')
    expect(JSON.parse(line)).toMatchObject({ program: 'test', level: 30, route: '/x', msg: 'two\nlines' })
    expect(JSON.parse(line).time).toMatch(/^\d{4}-\d\d-\d\dT/)
  })

  it('removes secrets, under any name and up to two levels down', () => {
    fc.assert(
      fc.property(secretName, outerName, outerName, fc.nat({ max: 2 }), (name, one, other, depth) => {
        const secret = 'sekrit-01815012345'
        const shapes = [{ [name]: secret }, { [one]: { [name]: secret } }, { [one]: { [other]: { [name]: secret } } }]
        const [line = ''] = logged((log) => log.warn({ ...shapes[depth], stored: 'kept' }, 'said'))
        expect(line).not.toContain(secret)
        expect(line).toContain('[redacted]')
        expect(JSON.parse(line).stored).toBe('kept')
      }),
    )
  })

  it('writes of an error its message, code, stack and cause, and nothing else of it', () => {
    const cause = new TypeError('the wire broke')
    const error = Object.assign(new Error('a row is there already', { cause }), {
      code: '23505',
      detail: 'Key (debtor_bban)=(80501100017) exists',
    })
    const [line = ''] = logged((log) => log.error({ error }, 'failed'))
    expect(JSON.parse(line).error).toMatchObject({
      name: 'Error',
      message: 'a row is there already',
      code: '23505',
      stack: expect.stringContaining('log.test.ts'),
      cause: { name: 'TypeError', message: 'the wire broke' },
    })
    expect(line).not.toContain('80501100017')
  })

  it.runIf(existsSync('/dev/full'))('does not stop the program when the disk is full', () => {
    const script = `const { openLog } = await import('${new URL('log.ts', import.meta.url)}')
      openLog({ program: 'test', level: 'info' }).info('lost'); process.stderr.write('goes on')`
    const { stderr, status } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
      stdio: ['ignore', openSync('/dev/full', 'w'), 'pipe'],
    })
    expect([String(stderr), status]).toEqual(['goes on', 0])
  })

  it('writes nothing below its level', () => {
    expect(logged((log) => log.info('nothing'), 'warn')).toEqual([])
    expect(logged((log) => log.error('nothing'), 'silent')).toEqual([])
  })
})

describe('withoutRedaction', () => {
  it('writes the same lines, and leaves the log itself as it is', () => {
    const fields = { partnerId: 'p', paymentId: undefined, outcome: 'acknowledged' }
    const [line = '', same = '', redacted = ''] = logged((log) => {
      log.info(fields, 'submitted')
      withoutRedaction(log).info(fields, 'submitted')
      log.info({ token: 'sekrit' }, 'later')
    }).map((written) => written.replace(/"time":"[^"]*"/, '"time":""'))
    expect(same).toBe(line)
    expect(redacted).toContain('"token":"[redacted]"')
  })
})
