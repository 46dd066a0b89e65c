/** Tests rendered documents: no text is lost, and no text becomes markup by accident. */
import { readFile } from 'node:fs/promises'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { renderMarkdown } from './render-markdown.ts'
import { sandboxPage } from './sandbox-page.ts'

const markupOf = (text: string) => renderMarkdown(text).markup

describe('each kind of block', () => {
  test.each([
    ['# A *title*', '<h1 id="a-title"><a href="#a-title">A *title*</a></h1>'],
    ['One\nparagraph', '<p>One\nparagraph</p>'],
    ['**Loud** and `code_<b>`', '<p><strong>Loud</strong> and <code>code_<wbr>&#60;b&#62;</code></p>'],
    ['- one\n  goes on\n- two', '<ul><li>one\n  goes on</li><li>two</li></ul>'],
    ['1. one\n2. two', '<ol><li>one</li><li>two</li></ol>'],
    [
      '```json\n{"a": 1}\n```',
      '<pre><code>{<span class="key">&#34;a&#34;</span>: <span class="literal">1</span>}</code></pre>',
    ],
    ['```\n<b>\n```', '<pre><code>&#60;b&#62;</code></pre>'],
    ['<http://127.0.0.1:8080>', '<p><a href="http://127.0.0.1:8080">http://127.0.0.1:8080</a></p>'],
    ['[there](#time), [file](../sdk/README.md)', '<p><a href="#time">there</a>, file</p>'],
    ['<!-- told to\nnobody -->', ''],
    ['<script>alert(1)</script>', '<p>&#60;script&#62;alert(1)&#60;/script&#62;</p>'],
    ['[x](javascript:alert(1))', '<p>x)</p>'],
  ])('%j', (text, markup) => {
    expect(markupOf(text)).toBe(markup)
  })

  test('every cell of a table has its column name, and an escaped bar is preserved', () => {
    expect(markupOf('| Amount | `What` |\n| --- | --- |\n| `7701` | a \\| b |')).toContain(
      '<td data-column="Amount"><code>7701</code></td><td data-column="What">a | b</td>',
    )
  })
})

test('only the supported tags are rendered, for any input', () => {
  const texts = fc.array(
    fc.constantFrom(
      '<',
      '>',
      '"',
      '&',
      '`',
      '|',
      '#',
      '*',
      '[',
      ']',
      '(',
      ')',
      '-',
      '\n',
      '\n\n',
      '```',
      'a',
      'http:',
      '1. ',
    ),
    { maxLength: 40 },
  )
  const known =
    /<\/?(h[1-4]|p|ul|ol|li|strong|code|pre|table|thead|tbody|tr|th|td|div|span|wbr|a)( (id|href|class|scope|data-column)="[^"<>]*")*>/g
  fc.assert(
    fc.property(texts, (parts) => {
      expect(markupOf(parts.join('')).replaceAll(known, '')).not.toMatch(/[<>]/)
    }),
    { numRuns: 3000 },
  )
})

describe('the sandbox document', () => {
  const readDocument = async () => await readFile(new URL('../docs/sandbox.md', import.meta.url), 'utf8')
  const place = {
    mode: 'sandbox',
    demo: true,
    baseUrl: 'http://127.0.0.1:9080',
    authUrl: 'http://127.0.0.1:9080',
    tokenRequestsPerMinute: 60,
    requestsPerSecond: 100,
    sandboxBankUrl: 'http://127.0.0.1:9081',
    sandboxXs2aUrl: 'http://127.0.0.1:9083',
    companyRegistries: { NO: 'sample' },
  } as const

  test('is rendered completely: each heading once, each row of each table, and no Markdown syntax', async () => {
    const document = await readDocument()
    const { markup, headings } = renderMarkdown(document)
    expect(new Set(headings.map(({ id }) => id)).size).toBe(headings.length)
    expect(headings.map(({ title }) => title)).toEqual(
      [...document.replaceAll(/^```.*?^```$/gms, '').matchAll(/^#+ (.+)$/gm)].map(([, title]) => title),
    )
    const rows = document.match(/^\|.*\|$/gm) ?? []
    expect(markup.match(/<tr>/g)?.length).toBe(rows.filter((row) => !/^\|[- |]*\|$/.test(row)).length)
    const spoken = markup.replaceAll(/<(pre|code)>.*?<\/\1>/gs, '')
    expect(spoken).not.toMatch(/\*\*|\]\(|^\||`|<!--/m)
  })

  test('has the URLs of this sandbox', async () => {
    const page = sandboxPage(await readDocument(), place)
    expect(page).toContain('http://127.0.0.1:9080')
    expect(page).toContain('http://127.0.0.1:9081')
    expect(page).not.toMatch(/127\.0\.0\.1:808[0-9]/)
  })
})
