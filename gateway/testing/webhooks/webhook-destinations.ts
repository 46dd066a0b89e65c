/** Lists addresses that no delivery may reach, in every URL notation, and public ones for comparison. */

/** Non-public IPv4 addresses, at the edges of their networks. */
export const CLOSED_IPV4 = [
  ...['0.0.0.0', '0.0.0.1', '0.255.255.255', '10.0.0.0', '10.0.0.1', '10.255.255.255'],
  ...['100.64.0.0', '100.64.0.1', '100.100.100.200', '100.127.255.255'],
  ...['127.0.0.0', '127.0.0.1', '127.0.0.53', '127.1.2.3', '127.255.255.255'],
  ...['169.254.0.0', '169.254.169.254', '169.254.170.2', '169.254.255.255', '168.63.129.16'],
  ...['172.16.0.0', '172.17.0.1', '172.31.255.255', '192.0.0.0', '192.0.0.8', '192.0.0.192', '192.0.0.255'],
  ...['192.0.2.0', '192.0.2.255', '192.88.99.0', '192.88.99.1', '192.168.0.0', '192.168.1.1', '192.168.255.255'],
  ...['198.18.0.0', '198.19.255.255', '198.51.100.0', '198.51.100.255', '203.0.113.0', '203.0.113.255'],
  ...['224.0.0.0', '224.0.0.1', '239.255.255.255', '240.0.0.0', '255.255.255.254', '255.255.255.255'],
] as const

/** Non-public IPv6 addresses, including those that embed a non-public IPv4 address. */
export const CLOSED_IPV6 = [
  ...['::', '::1', '0:0:0:0:0:0:0:1', '0000:0000:0000:0000:0000:0000:0000:0001', '::2', '::7f00:1', '::127.0.0.1'],
  ...['::8.8.8.8', '::ffff:127.0.0.1', '::ffff:7f00:1', '0:0:0:0:0:ffff:127.0.0.1', '::FFFF:10.0.0.1'],
  ...['::ffff:169.254.169.254', '::ffff:a9fe:a9fe', '::ffff:192.168.1.1', '::ffff:0.0.0.0', '::ffff:100.64.0.1'],
  ...['::ffff:0:127.0.0.1', '64:ff9b::127.0.0.1', '64:ff9b::7f00:1', '64:ff9b::10.0.0.1', '64:ff9b::a9fe:a9fe'],
  ...['64:ff9b::192.168.0.1', '64:ff9b:1::', '64:ff9b:1::8.8.8.8', '64:ff9b:1:ffff:ffff:ffff:ffff:ffff'],
  ...['100::', '100::1', '2001::', '2001::1', '2001:0:4136:e378:8000:63bf:3fff:fdd2', '2001:2::1', '2001:10::1'],
  ...['2001:20::1', '2001:1ff:ffff::1', '2001:db8::', '2001:db8::1', '2001:db8:ffff:ffff::1'],
  ...['2002::', '2002:7f00:1::', '2002:7f00:1::1', '2002:a00:1::1', '2002:a9fe:a9fe::1', '2002:808:808::1'],
  ...['3fff::1', '3fff:fff::1', '4000::1', '5f00::1', '8000::1', 'fc00::', 'fc00::1', 'fd00:ec2::254', 'fd20:ce::254'],
  ...['fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', 'fe80::', 'fe80::1', 'fe80::a9fe:a9fe', 'febf::1', 'fec0::1'],
  ...['feff::1', 'ff00::1', 'ff02::1', 'ff05::1:3', 'ff0e::1', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '1fff::1'],
] as const

/** Hosts that a URL parser converts to a non-public IPv4 address. */
export const CLOSED_HOST_SPELLINGS = [
  ...['2130706433', '0x7f000001', '0X7F000001', '017700000001', '0177.0.0.1', '0177.0.0.01', '0x7f.0.0.1', '0x7f.1'],
  ...['127.1', '127.0.1', '127.0x1', '127.0.0.1.', '127.0.0.0x1', '0x7f.0x0.0x0.0x1', '0', '0x0', '00', '0.0', '0x'],
  ...[
    '167772161',
    '0xa000001',
    '10.1',
    '012.0.0.1',
    '0xa.1',
    '3232235777',
    '0xc0a80101',
    '0300.0250.1.1',
    '192.168.257',
  ],
  ...['2852039166', '0xa9fea9fe', '0251.0376.0251.0376', '0xa9.0xfe.0xa9.0xfe', '169.254.43518', '169.16689662'],
  ...['1681915905', '0x64400001', '2886729729', '0xac100001', '4294967295', '0xffffffff', '037777777777'],
  ...['１２７.0.0.1', '127。0。0。1', '①②⑦.0.0.1', '%31%32%37.0.0.1', '127%2e0%2e0%2e1', '0x7F.0.0.1'],
  ...['localhost', 'LOCALHOST', 'localhost.', 'hooks.localhost', 'ｌocalhost'],
] as const

/** Invalid endpoint URLs. */
export const INVALID_TARGETS = [
  ...['', ' ', 'https', 'https:', 'https:/', 'https://', 'https:///', 'https:///path', 'https://?', 'https://#'],
  ...['erp.example', '//erp.example/hook', '/hook', 'https:erp.example', 'https:/erp.example', 'https:\\\\erp.example'],
  ...[
    'https://erp.example\\@127.0.0.1/',
    'https://\terp.example/',
    'https://erp.example/a b',
    'https://erp.exa\nmple/',
  ],
  ...[' https://erp.example/', 'https://erp.example/ ', 'https://erp.example/\u0000', 'https://erp.example/\u00a0x'],
  ...[
    'https://user@erp.example/',
    'https://user:word@erp.example/',
    'https://:word@erp.example/',
    'https://@erp.example/',
  ],
  ...['https://erp.example#part', 'https://erp.example/#', 'https://erp.example/hook#part', 'https://erp.example:0/'],
  ...['https://erp.example:65536/', 'https://erp.example:-1/', 'https://erp.example:https/', 'https://256.0.0.1/'],
  ...['https://1.2.3.4.5/', 'https://0x100000000/', 'https://[::1/', 'https://::1/', 'https://[fe80::1%25eth0]/'],
  ...['https://[::ffff:256.0.0.1]/', 'https://[1::2::3]/', 'https://er p.example/', 'https://erp%2fexample/'],
  ...['http://erp.example/', 'HTTP://erp.example/', 'ftp://erp.example/', 'file:///etc/passwd', 'javascript:alert(1)'],
  ...[
    'data:text/plain,x',
    'ws://erp.example/',
    'wss://erp.example/',
    'gopher://erp.example/',
    'blob:https://erp.example/x',
  ],
  ...['unix:/run/docker.sock', 'https+unix://x/', `https://erp.example/${'a'.repeat(2048)}`],
] as const

/** Public addresses next to non-public networks. */
export const OPEN_ADDRESSES = [
  ...['1.0.0.0', '1.1.1.1', '8.8.8.8', '9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.0', '126.255.255.255'],
  ...[
    '128.0.0.0',
    '168.63.129.15',
    '169.253.255.255',
    '169.255.0.0',
    '172.15.255.255',
    '172.32.0.0',
    '191.255.255.255',
  ],
  ...['192.0.1.0', '192.0.3.0', '192.167.255.255', '192.169.0.0', '198.17.255.255', '198.20.0.0', '198.51.99.255'],
  ...['203.0.112.255', '203.0.114.0', '223.255.255.255', '2000::1', '2001:200::1', '2001:4860:4860::8888', '2003::1'],
  ...['2001:db7:ffff::1', '2001:db9::1', '2606:4700:4700::1111', '2a00:1450:400f::1', '3ffe:ffff::1', '3fff:1000::1'],
  ...['::ffff:8.8.8.8', '64:ff9b::8.8.8.8', '64:ff9b::808:808'],
] as const

/** Notations of public endpoints. */
export const OPEN_TARGETS = [
  ...['https://erp.example', 'https://erp.example/', 'HTTPS://ERP.EXAMPLE/hook', 'https://erp.example:8443/hook?a=b'],
  ...['https://erp.example./hook', 'https://xn--blbrgrd-fxak7p.example/', 'https://blåbærgrød.example/æøå?ø=å'],
  ...['https://erp.example/a%20b', 'https://8.8.8.8/', 'https://134744072/', 'https://[2001:4860:4860::8888]:443/'],
  ...['https://erp.example/user@host', 'https://erp.example?x=https://other.example/', 'https://a_b.example/'],
] as const
