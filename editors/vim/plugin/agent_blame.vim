" Says which agent, model and conversation wrote the current line. Needs git-agent-blame on PATH; silent without it.
if exists('g:loaded_agent_blame') || (!has('nvim') && !has('patch-8.2.0'))
  finish
endif
let g:loaded_agent_blame = 1

highlight default link AgentBlame Comment

command! -bar AgentBlame call agent_blame#file()
command! -bar -bang AgentWhy call agent_blame#why(<bang>0)
command! -bar AgentBlameToggle call agent_blame#toggle()

augroup agent_blame
  autocmd!
  autocmd BufEnter,CursorMoved,TextChanged,InsertLeave * call agent_blame#later()
  autocmd BufWritePost,FileChangedShellPost * call agent_blame#renew()
  autocmd InsertEnter,BufLeave * call agent_blame#hide()
augroup END
