/** Tests that links work as mail and chat programs pass them on, and that browsers get a page for those that do not. */
import { fastify } from 'fastify'
import { expect, test } from 'vitest'
import { newToken } from '../../ids.ts'
import { answerDamagedLinks, linkTokenOf } from './opened-link.ts'

const token = `${newToken().slice(0, -2)}_-`

test.each(['', '.', ').', '>', '”', '\u00a0', '\u200b', '/', '_', '*!'])(
  '%j behind a token is none of it',
  (behind) => {
    expect(linkTokenOf(`${token}${behind}`)).toBe(token)
  },
)

test.each([token.slice(1), `${token}x`, `${token}.x`, `.${token}`])('%s stays as it is, which is no token', (text) => {
  expect(linkTokenOf(text)).toBe(text)
})

test('browsers get a page for a link that was cut off, and one that ends in a slash without it; programs an error', async () => {
  const server = fastify()
  answerDamagedLinks(server, '/links/', () => ({ status: 404, title: 'Unknown', body: '' }))
  const answerTo = async (url: string, accept = 'text/html,*/*') => {
    const { statusCode, headers, body } = await server.inject({ url, headers: { accept } })
    return [statusCode, headers.location, body.includes('<h1>Unknown</h1>')]
  }
  expect(await answerTo('/links/half')).toEqual([404, undefined, true])
  expect(await answerTo(`/links/${token}/?by=mail`)).toEqual([303, `../${token}`, false])
  expect(await answerTo('/links/half', '*/*')).toEqual([404, undefined, false])
  expect(await answerTo('/other')).toEqual([404, undefined, false])
})
