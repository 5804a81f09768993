" What is known of each line of a buffer is kept with it for as long as its text stays the same (b:changedtick).

let s:timer = -1
let s:namespace = has('nvim') ? nvim_create_namespace('agent_blame') : 0
" the current line of a longer buffer is told of only where it is asked for: each change would hand over all of it
let s:most = 20000

function! s:enabled() abort
  return get(g:, 'agent_blame_enabled', 1) && executable('git-agent-blame')
endfunction

function! s:is_file(buffer) abort
  return getbufvar(a:buffer, '&buftype') ==# '' && bufname(a:buffer) !=# '' && filereadable(s:path(a:buffer))
endfunction

function! s:path(buffer) abort
  return resolve(fnamemodify(bufname(a:buffer), ':p'))
endfunction

" After a pause, so that moving about costs nothing.
function! agent_blame#later() abort
  call timer_stop(s:timer)
  call agent_blame#hide()
  let s:timer = timer_start(get(g:, 'agent_blame_delay', 250), {-> agent_blame#show()})
endfunction

" A save or another program may have changed what is known, also of the same text.
function! agent_blame#renew() abort
  unlet! b:agent_blame
  call agent_blame#later()
endfunction

function! agent_blame#toggle() abort
  let g:agent_blame_enabled = !get(g:, 'agent_blame_enabled', 1)
  call agent_blame#later()
endfunction

function! agent_blame#hide() abort
  if has('nvim')
    call nvim_buf_clear_namespace(0, s:namespace, 0, -1)
  endif
endfunction

" The origin of the current line: as virtual text in Neovim, in the command line of Vim.
function! agent_blame#show() abort
  if !s:enabled() || mode() !~# '^n' || !s:is_file(bufnr('%')) || line('$') > s:most
    return
  endif
  let known = get(b:, 'agent_blame', {})
  if get(known, 'tick', -1) != b:changedtick
    return agent_blame#ask(bufnr('%'))
  endif
  let label = agent_blame#label(get(known.lines, line('.') - 1, {}))
  if label ==# ''
    return
  endif
  if has('nvim')
    call agent_blame#hide()
    call nvim_buf_set_extmark(0, s:namespace, line('.') - 1, 0,
          \ {'virt_text': [['    ' . label, 'AgentBlame']], 'hl_mode': 'combine'})
  else
    redraw
    echo strcharpart(label, 0, max([10, &columns - 12]))
  endif
endfunction

" One line of `git agent-blame --json` as a person reads it.
function! agent_blame#label(line) abort
  if empty(a:line)
    return ''
  endif
  let parts = [a:line.type]
  if a:line.type ==# 'ai' || a:line.type ==# 'mixed'
    let tool = type(a:line.tool) == v:t_dict ? get(a:line.tool, 'name', '') : ''
    let model = type(a:line.model) == v:t_string ? substitute(a:line.model, '^.*/', '', '') : ''
    let parts += [tool, model]
  elseif a:line.type ==# 'human'
    let parts += [a:line.author]
  elseif type(a:line.reason) == v:t_string
    let parts += ['(' . a:line.reason . ')']
  endif
  if type(a:line.commit) == v:t_string
    let parts += [strpart(a:line.authorTime, 0, 10), strpart(a:line.commit, 0, 8)]
  else
    let parts += ['not committed']
  endif
  " names come from strangers: nothing that a terminal would obey
  return substitute(join(filter(parts, 'v:val !=# ""'), ' '), '[[:cntrl:]]', ' ', 'g')
endfunction

" Asks about the buffer as it stands, saved or not. A buffer that git does not know is not asked about again until it is saved.
function! agent_blame#ask(buffer) abort
  let tick = getbufvar(a:buffer, 'changedtick')
  if getbufvar(a:buffer, 'agent_blame_asked', -1) == tick
    return
  endif
  call setbufvar(a:buffer, 'agent_blame_asked', tick)
  let command = ['git', 'agent-blame', '--json', '--contents', '-', '--', fnamemodify(s:path(a:buffer), ':t')]
  call agent_blame#job#run(command, s:options(a:buffer, {code, lines -> s:answered(a:buffer, tick, code, lines)}))
endfunction

function! s:options(buffer, done) abort
  return {'cwd': fnamemodify(s:path(a:buffer), ':h'), 'input': s:contents(a:buffer), 'done': a:done}
endfunction

" The bytes that saving would write, as a list of lines.
function! s:contents(buffer) abort
  let lines = getbufline(a:buffer, 1, '$')
  if getbufvar(a:buffer, '&fileformat') ==# 'dos'
    let lines = map(lines, 'v:val . "\r"')
  endif
  return getbufvar(a:buffer, '&endofline') || getbufvar(a:buffer, '&fixendofline') ? lines + [''] : lines
endfunction

function! s:answered(buffer, tick, code, lines) abort
  if !bufexists(a:buffer)
    return
  endif
  let told = {}
  if a:code == 0
    silent! let told = json_decode(join(a:lines, "\n"))
  endif
  let lines = type(told) == v:t_dict ? get(told, 'lines', []) : []
  call setbufvar(a:buffer, 'agent_blame_asked', -1)
  call setbufvar(a:buffer, 'agent_blame', {'tick': a:tick, 'lines': lines})
  if a:buffer == bufnr('%')
    call agent_blame#show()
  endif
endfunction

" :AgentBlame
function! agent_blame#file() abort
  let [buffer, line] = [bufnr('%'), line('.')]
  if !s:may_ask(buffer)
    return
  endif
  let name = fnamemodify(s:path(buffer), ':t')
  let command = ['git', '--no-pager', 'agent-blame', '--no-color', '--contents', '-', '--', name]
  let Done = {code, lines -> s:open('agent-blame://' . name, lines, code == 0 ? line : 1)}
  call agent_blame#job#run(command, s:options(buffer, Done))
endfunction

" :AgentWhy shows what made the line, :AgentWhy! the whole conversation. A text that is not saved has other line numbers than the file.
function! agent_blame#why(whole) abort
  let [buffer, line] = [bufnr('%'), line('.')]
  if !s:may_ask(buffer)
    return
  endif
  let Done = {code, lines -> s:why(buffer, line, a:whole, code, lines)}
  let name = fnamemodify(s:path(buffer), ':t')
  let command = ['git', 'agent-blame', '--json', '-L' . line . ',' . line, '--contents', '-', '--', name]
  call agent_blame#job#run(command, s:options(buffer, Done))
endfunction

function! s:why(buffer, line, whole, code, lines) abort
  let told = {}
  if a:code == 0
    silent! let told = json_decode(join(a:lines, "\n"))
  endif
  let one = get(get(told, 'lines', []), 0, {})
  let session = get(one, 'session', v:null)
  if type(session) != v:t_string
    echomsg 'No conversation is known behind this line: ' . (empty(one) ? 'git does not know it' : agent_blame#label(one))
    return
  endif
  let here = fnamemodify(s:path(a:buffer), ':t') . ':' . a:line
  let what = a:whole ? [session] : ['--contents', '-', here]
  let options = s:options(a:buffer, {code, lines -> s:open('agent-why://' . what[-1], lines, 1)})
  call agent_blame#job#run(['git', '--no-pager', 'agent', 'show'] + what, options)
endfunction

function! s:may_ask(buffer) abort
  if !executable('git-agent-blame')
    echo 'git-agent-blame is not on PATH'
  elseif !s:is_file(a:buffer)
    echo 'This buffer is no file'
  else
    return 1
  endif
  return 0
endfunction

" A split that is gone when it is closed.
function! s:open(name, lines, line) abort
  let lines = filter(copy(a:lines), 'v:key < len(a:lines) - 1 || v:val !=# ""')
  new
  setlocal buftype=nofile bufhidden=wipe noswapfile nobuflisted nowrap nomodeline
  silent! execute 'file' fnameescape(a:name)
  call setline(1, empty(lines) ? ['(nothing was said)'] : lines)
  setlocal nomodifiable nomodified
  call cursor(a:line, 1)
endfunction
