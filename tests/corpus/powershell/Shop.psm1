#Requires -Version 7
using module ./Base.psm1
using namespace System.Collections.Generic

. $PSScriptRoot/helpers.ps1
Import-Module -Name "$PSScriptRoot/Prices.psm1" -Force
Import-Module Pester

<#
.SYNOPSIS
Where books are kept.
#>
$Script:Store = @{}
$global:ShopName = 'Books'
Set-Variable -Name Limit -Value 10 -Option Constant
$Rates, $Names = @(1, 2), @()

# How a book is bound.
enum Binding {
    Hard = 1
    Soft
}

# A book.
class Book : Thing, IComparable {
    [string] $Title
    hidden [int] $Pages = 0
    static [Book] $Last

    Book([string] $title) : base($title) {
        $this.Title = $title
        [Book]::Last = $this
    }

    [string] ToString() {
        return "$($this.Title): $($this.Pages)"
    }

    static [Book] Parse([string] $text, [int] $pages) {
        $book = [Book]::new($text)
        $book.Pages = $pages
        return $book
    }
}

<#
.SYNOPSIS
Adds a book.
#>
function Add-Book {
    [CmdletBinding()]
    [OutputType([Book])]
    param(
        [Parameter(Mandatory)] [string] $Title,
        [ValidateSet('Hard', 'Soft')] $Binding = [Binding]::Hard,
        [switch] $Force
    )
    begin {
        $count = 0
    }
    process {
        $book = [Book]::Parse($Title, 3)
        if ($Force -or -not $Script:Store.ContainsKey($Title)) {
            $Script:Store[$Title] = $book
            $count += 1
        }
        foreach ($name in $Names) {
            Write-Verbose "Saw $name of ${global:ShopName}"
        }
        Get-Book -Title $Title | Where-Object { $_.Pages -gt 1 } | ForEach-Object Title
        & $callback $book
    }
}

# Finds one.
function script:Get-Book($Title, [int] $Most = 5) {
    return $Script:Store[$Title]
}

filter Select-Long { if ($_.Pages -gt 100) { $_ } }

function Get-Rates { $Rates }

Set-Alias -Name addb -Value Add-Book
New-Alias getb Get-Book

try {
    Add-Book -Title 'A' -Force
} catch [System.IO.IOException] {
    throw $_
}

Export-ModuleMember -Function Add-Book, Get-Rates -Alias addb
