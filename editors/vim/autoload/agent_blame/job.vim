" One command in the background, the same for Vim and Neovim. `done` is called with its exit code and the lines it wrote: its results, or
" its complaint where it failed. What cannot be started is told as code 127.

function! agent_blame#job#run(command, options) abort
  let state = {'out': [''], 'err': [''], 'done': a:options.done}
  try
    return has('nvim') ? s:neovim(a:command, a:options, state) : s:vim(a:command, a:options, state)
  catch
    call a:options.done(127, [v:exception])
  endtry
endfunction

function! s:neovim(command, options, state) abort
  let job = jobstart(a:command, {'cwd': a:options.cwd, 'stdout_buffered': v:true, 'stderr_buffered': v:true,
        \ 'on_stdout': {_, lines, ...-> extend(a:state, {'out': lines})},
        \ 'on_stderr': {_, lines, ...-> extend(a:state, {'err': lines})},
        \ 'on_exit': {_, code, ...-> s:finish(a:state, code)}})
  if !empty(a:options.input)
    call chansend(job, a:options.input)
  endif
  call chanclose(job, 'stdin')
endfunction

function! s:vim(command, options, state) abort
  " from a file: a long text would not fit into the pipe at once
  let input = tempname()
  call writefile(a:options.input, input, 'b')
  let a:state.input = input
  let a:state.out = []
  let a:state.err = []
  " the last output may come after the end of the process
  call job_start(a:command, {'cwd': a:options.cwd, 'in_io': 'file', 'in_name': input, 'out_mode': 'nl', 'err_mode': 'nl',
        \ 'out_cb': {_, line -> add(a:state.out, line)}, 'err_cb': {_, line -> add(a:state.err, line)},
        \ 'exit_cb': {_, code -> s:ended(a:state, {'code': code})}, 'close_cb': {_ -> s:ended(a:state, {'closed': 1})}})
endfunction

function! s:ended(state, part) abort
  call extend(a:state, a:part)
  if has_key(a:state, 'code') && has_key(a:state, 'closed')
    call delete(a:state.input)
    call s:finish(a:state, a:state.code)
  endif
endfunction

function! s:finish(state, code) abort
  call a:state.done(a:code, a:code == 0 ? a:state.out : a:state.err)
endfunction
