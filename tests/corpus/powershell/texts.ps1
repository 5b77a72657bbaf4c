# Texts that the grammar stumbles over, each in a function that others follow.

function Show-Berth($Berth) {
    <#
    .SYNOPSIS
    Shows one berth (and what's moored there.
    #>
    "$Berth # $(Get-Ship $Berth '#')"
}

function Show-Quay($Quay) {
    $text = @"
# $Quay
``````PowerShell
function Not-Here { }
``````
"@
    Write-Output $text
}

function Stop-Ship($Ship) {
    if (!$Ship) {
        *Die "No ship '$Ship'." 5
    }
    Find-Ship | Where-Object -Property Name -Value "^$Ship#" -Match
}

function Get-Depth {
    $pattern = @'
it's (here
'@
    "$($pattern)`"\"
}
